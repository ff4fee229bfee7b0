package dev.mayfly.store.rocksdb;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.WriteStallCondition;
import org.rocksdb.WriteStallInfo;

/** Knows the column families that take no writes for now, or not as fast as they come. */
final class Stalls extends AbstractEventListener {
  private final Set<String> stalled = ConcurrentHashMap.newKeySet();

  Stalls() {
    super(EnabledEventCallback.ON_STALL_CONDITIONS_CHANGED);
  }

  /** Whether a write need not wait, as far as is known. */
  boolean none() {
    return stalled.isEmpty();
  }

  @Override
  public void onStallConditionsChanged(WriteStallInfo change) {
    if (change.getCurrentCondition() == WriteStallCondition.NORMAL) {
      stalled.remove(change.getColumnFamilyName());
    } else {
      stalled.add(change.getColumnFamilyName());
    }
  }
}

package dev.mayfly.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MemoryStoreTest {
  private static final byte[] KEY = {1};

  @Test
  void reopeningFindsWhatWasCommitted() {
    MemoryStore store = new MemoryStore();
    store.own(1).commit(new Batch().put(Space.META, KEY, new byte[] {7}));

    assertThat(store.reopen().own(1).read(Space.META, KEY)).containsExactly(7);
  }

  @Test
  void lossOfPowerLeavesWhatWasSyncedAndNothingElse() {
    MemoryStore store = new MemoryStore();
    Shard shard = store.own(1);
    shard.sync(shard.commit(new Batch().put(Space.META, KEY, new byte[] {7})));
    shard.commit(new Batch().put(Space.META, KEY, new byte[] {8}));

    assertThat(store.powerLoss().own(1).read(Space.META, KEY)).containsExactly(7);
  }
}

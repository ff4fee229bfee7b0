package dev.mayfly.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MemoryStoreTest extends StoreContract {
  private static final byte[] KEY = {1};

  @Override
  protected MemoryStore open() {
    return new MemoryStore();
  }

  @Override
  protected Store reopen(Store store) {
    return ((MemoryStore) store).reopen();
  }

  @Test
  void lossOfPowerLeavesWhatWasSyncedAndNothingElse() {
    MemoryStore store = open();
    Shard shard = store.own(1);
    shard.sync(shard.commit(new Batch().put(Space.META, KEY, new byte[] {7})));
    shard.commit(new Batch().put(Space.META, KEY, new byte[] {8}));

    assertThat(store.powerLoss().own(1).read(Space.META, KEY)).containsExactly(7);
  }

  @Test
  void onlyTheKindWithFiltersTakesOne() {
    assertThat(new MemoryStore().install((_, _, _) -> true)).isFalse();
    assertThat(MemoryStore.withoutSnapshots().install((_, _, _) -> true)).isFalse();
    assertThat(MemoryStore.withFilters().install((_, _, _) -> true)).isTrue();
  }

  @Test
  void onlyTheKindWithoutSnapshotsReadsTheCurrentState() {
    assertThat(new MemoryStore().own(1).snapshot().consistent()).isTrue();
    assertThat(MemoryStore.withFilters().own(1).snapshot().consistent()).isTrue();
    assertThat(MemoryStore.withoutSnapshots().own(1).snapshot().consistent()).isFalse();
  }
}

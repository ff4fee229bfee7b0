package dev.mayfly.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
  void onlyASyncMovesWhatIsKnownToBeSynced() {
    MemoryStore store = open();
    Shard shard = store.own(1);
    Shard other = store.own(2);
    long first = shard.commit(new Batch().put(Space.META, KEY, new byte[] {7}));
    assertThat(shard.syncedThrough()).isZero();
    other.sync(other.commit(new Batch().put(Space.META, KEY, new byte[] {7})));
    assertThat(shard.syncedThrough()).isZero();

    shard.sync(first);
    shard.commit(new Batch().put(Space.META, KEY, new byte[] {8}));
    assertThat(shard.syncedThrough()).isEqualTo(first);
  }

  @Test
  void whatWasCommittedTogetherIsLostOrKeptTogether() {
    MemoryStore store = open();
    Shard one = store.own(1);
    Shard two = store.own(2);
    Shard three = store.own(3);
    CrossShard crossShard = store.together().orElseThrow();
    Batch batch = new Batch().put(Space.META, KEY, new byte[] {7});
    crossShard.commit(List.of(new ShardBatch(one, batch), new ShardBatch(two, batch)));
    long ticket =
        crossShard.commit(List.of(new ShardBatch(two, batch), new ShardBatch(three, batch)));
    three.sync(ticket);
    Batch later = new Batch().put(Space.META, KEY, new byte[] {8});
    crossShard.commit(List.of(new ShardBatch(one, later), new ShardBatch(two, later)));
    three.sync(three.commit(later));

    MemoryStore left = store.powerLoss();
    assertThat(left.own(1).read(Space.META, KEY)).containsExactly(7);
    assertThat(left.own(2).read(Space.META, KEY)).containsExactly(7);
    assertThat(left.own(3).read(Space.META, KEY)).containsExactly(8);
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

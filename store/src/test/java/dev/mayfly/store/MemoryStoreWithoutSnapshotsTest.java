package dev.mayfly.store;

final class MemoryStoreWithoutSnapshotsTest extends StoreContract {
  @Override
  protected Store open() {
    return MemoryStore.withoutSnapshots();
  }

  @Override
  protected Store reopen(Store store) {
    return ((MemoryStore) store).reopen();
  }
}

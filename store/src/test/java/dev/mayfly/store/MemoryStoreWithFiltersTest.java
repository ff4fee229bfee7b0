package dev.mayfly.store;

final class MemoryStoreWithFiltersTest extends StoreContract {
  @Override
  protected Store open() {
    return MemoryStore.withFilters();
  }

  @Override
  protected Store reopen(Store store) {
    return ((MemoryStore) store).reopen();
  }
}

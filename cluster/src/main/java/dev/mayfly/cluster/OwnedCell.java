package dev.mayfly.cluster;

import dev.mayfly.engine.Engine;
import dev.mayfly.store.Store;

/** A cell that this server has opened. */
record OwnedCell(int number, Engine engine, Store store, Tenure tenure) implements Cell {
  @Override
  public Admission admit() {
    return tenure.admit();
  }
}

package dev.mayfly.engine.local;

import dev.mayfly.engine.catalog.ChangeTime;
import dev.mayfly.engine.catalog.CollectionState;

/** One step of a collection from its state to the next, at an instant. */
public interface StateChange {
  CollectionState from(CollectionState state, ChangeTime at);
}

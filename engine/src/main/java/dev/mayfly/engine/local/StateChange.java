package dev.mayfly.engine.local;

import dev.mayfly.engine.catalog.ChangeTime;
import dev.mayfly.engine.catalog.CollectionState;

/** Function from the state of a collection to its next state, at an instant. */
public interface StateChange {
  CollectionState from(CollectionState state, ChangeTime at);
}

package dev.mayfly.cluster;

import dev.mayfly.engine.Engine;

/** A cell that this server serves: an engine, and the admission to it. Safe for many threads. */
public interface Cell {
  /** The number of the home cell. */
  int HOME = 0;

  int number();

  /** Returns the engine. Use it within an {@link Admission} only, background work excepted. */
  Engine engine();

  /**
   * Admits an operation. Never blocks, so an event loop can call it.
   *
   * @throws MovedException if this server does not serve the cell, or is about to hand it over
   */
  Admission admit();
}

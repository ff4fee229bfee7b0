package dev.mayfly.engine;

import java.util.Optional;

/** Result of a read that must not block. */
public sealed interface TryRead {
  /** The record is not in memory: repeat the read in a thread that may block. */
  record NotCached() implements TryRead {}

  /** The live document, if there is one. */
  record Done(Optional<StoredDocument> document) implements TryRead {}
}

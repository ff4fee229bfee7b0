package dev.mayfly.engine;

import java.util.Optional;

/** Result of a read that must not block. */
public sealed interface TryRead {
  /** The read would block: to be repeated in a thread that may wait. */
  record Elsewhere() implements TryRead {}

  /** The live document, if there is one. */
  record Told(Optional<StoredDocument> document) implements TryRead {}
}

package dev.mayfly.engine;

import java.util.Optional;

/** What a read has found that must not wait for a disk. */
public sealed interface TryRead {
  /** It had to wait: read again where that holds up nobody. */
  record Elsewhere() implements TryRead {}

  /** The live document, if there is one. */
  record Told(Optional<StoredDocument> document) implements TryRead {}
}

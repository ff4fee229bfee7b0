package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.Optional;

/** What became of one write. */
public sealed interface WriteOutcome {
  /** The document was not there and is now. */
  record Inserted(StoredDocument after) implements WriteOutcome {}

  /** The document was there and has changed. */
  record Updated(Document before, StoredDocument after) implements WriteOutcome {}

  /** The document was there and already as asked for. */
  record Unchanged(StoredDocument document) implements WriteOutcome {}

  /** The document was there and is gone. */
  record Deleted(Document before) implements WriteOutcome {}

  /** Nothing was written, and why. */
  record Failed(EngineException failure) implements WriteOutcome {}

  /**
   * Done before, when it was first sent; see {@link Retry}.
   *
   * @param reply what the caller wanted to be told again
   */
  record Repeated(Done done, Document reply) implements WriteOutcome {}

  /** What a write has done. */
  enum Done {
    INSERTED,
    UPDATED,
    UNCHANGED,
    DELETED
  }

  /** What the write has done just now; empty when it has done nothing. */
  default Optional<Done> justDone() {
    return switch (this) {
      case Inserted _ -> Optional.of(Done.INSERTED);
      case Updated _ -> Optional.of(Done.UPDATED);
      case Unchanged _ -> Optional.of(Done.UNCHANGED);
      case Deleted _ -> Optional.of(Done.DELETED);
      case Repeated _, Failed _, Skipped _ -> Optional.empty();
    };
  }

  /** Not tried, because another write of its group failed. */
  record Skipped() implements WriteOutcome {}
}

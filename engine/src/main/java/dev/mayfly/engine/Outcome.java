package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.Optional;

/** What became of one write. */
public sealed interface Outcome {
  /** The document was not there and is now. */
  record Inserted(Stored after) implements Outcome {}

  /** The document was there and has changed. */
  record Updated(Document before, Stored after) implements Outcome {}

  /** The document was there and already as asked for. */
  record Unchanged(Stored document) implements Outcome {}

  /** The document was there and is gone. */
  record Deleted(Document before) implements Outcome {}

  /** Nothing was written, and why. */
  record Failed(EngineException failure) implements Outcome {}

  /**
   * Done before, when it was first sent; see {@link Retry}.
   *
   * @param reply what the caller wanted to be told again
   */
  record Repeated(Done done, Document reply) implements Outcome {}

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
  record Skipped() implements Outcome {}
}

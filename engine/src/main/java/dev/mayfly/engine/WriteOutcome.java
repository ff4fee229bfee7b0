package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.Optional;

/**
 * Outcome of one write.
 *
 * <pre>{@code
 * switch (things.write(new Write.Upsert(document))) {
 *   case WriteOutcome.Inserted(StoredDocument after) -> created(after.version());
 *   case WriteOutcome.Updated(Document before, StoredDocument after) -> replaced(before);
 *   case WriteOutcome other -> {}
 * }
 * }</pre>
 */
public sealed interface WriteOutcome {
  /** The document did not exist and was inserted. */
  record Inserted(StoredDocument after) implements WriteOutcome {}

  /** The document existed and was changed. */
  record Updated(Document before, StoredDocument after) implements WriteOutcome {}

  /** The document existed and already had the requested content. */
  record Unchanged(StoredDocument document) implements WriteOutcome {}

  /** The document existed and was deleted. */
  record Deleted(Document before) implements WriteOutcome {}

  /** Nothing was written; the failure is the reason. */
  record Failed(EngineException failure) implements WriteOutcome {}

  /**
   * Done before, when it was first sent; see {@link Retry}.
   *
   * @param reply what {@link Retry#reply} returned for the first outcome
   */
  record Repeated(Done done, Document reply) implements WriteOutcome {}

  /** Effect of a write. */
  enum Done {
    INSERTED,
    UPDATED,
    UNCHANGED,
    DELETED
  }

  /** Returns the effect of this call; empty if it had none. */
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

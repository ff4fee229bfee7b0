package dev.mayfly.engine;

import dev.mayfly.value.Document;

/** What became of one write. */
public sealed interface Outcome {
  /** The document was not there and is now. */
  record Inserted(long version, Document after) implements Outcome {}

  /** The document was there and has changed. */
  record Updated(long version, Document before, Document after) implements Outcome {}

  /** The document was there and already as asked for. */
  record Unchanged(long version, Document document) implements Outcome {}

  /** The document was there and is gone. */
  record Deleted(Document before) implements Outcome {}

  /** Nothing was written, and why. */
  record Failed(EngineException failure) implements Outcome {}

  /** Not tried, because another write of its group failed. */
  record Skipped() implements Outcome {}
}

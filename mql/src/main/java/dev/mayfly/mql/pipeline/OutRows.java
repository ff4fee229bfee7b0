package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Intermediate;
import dev.mayfly.value.Document;

/** Rows of {@code $out} and {@code $merge}: none; the first {@code next} writes the whole input. */
final class OutRows implements Rows {
  private final Rows input;
  private final Runnable write;
  private boolean done;

  private OutRows(Rows input, Runnable write) {
    this.input = input;
    this.write = write;
  }

  /** Replaces all documents of the target. */
  static Rows replacing(Rows input, Target into, PipelineSource collections) {
    return new OutRows(input, () -> replace(input, into, collections));
  }

  /** Merges each document with the existing one. */
  static Rows merging(Rows input, Stage.Merge stage, Execution execution) {
    return new OutRows(input, () -> new MergeRows(stage, execution).write(input));
  }

  private static void replace(Rows input, Target into, PipelineSource collections) {
    try (PipelineSource.Replacement replacement = collections.replace(into)) {
      while (input.next()) {
        replacement.add(Intermediate.storable(input.current()));
      }
      replacement.finish();
    }
  }

  @Override
  public boolean next() {
    if (!done) {
      done = true;
      write.run();
    }
    return false;
  }

  @Override
  public Document current() {
    throw new IllegalStateException("there are no rows");
  }

  @Override
  public void close() {
    input.close();
  }
}

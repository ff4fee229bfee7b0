package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.mql.rows.SpooledRows;
import dev.mayfly.query.Intermediate;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Rows of {@code $facet}: one document with the results of several pipelines over the same input.
 */
final class FacetRows implements Rows {
  private final Rows input;
  private final List<Stage.Branch> branches;
  private final Execution execution;
  private boolean done;
  private Document current = Document.EMPTY;

  FacetRows(Rows input, List<Stage.Branch> branches, Execution execution) {
    this.input = input;
    this.branches = branches;
    this.execution = execution;
  }

  @Override
  public boolean next() {
    if (done) {
      return false;
    }
    done = true;
    try (SpooledRows spooledRows = new SpooledRows(execution.workspace(), "$facet")) {
      spooledRows.fill(input);
      current = results(spooledRows);
    }
    return true;
  }

  private Document results(SpooledRows spooledRows) {
    DocumentWriter writer = Intermediate.writer();
    for (Stage.Branch branch : branches) {
      writer.startArray(branch.name());
      try (Rows rows = execution.over(spooledRows.replay(), branch.pipeline())) {
        while (rows.next()) {
          writer.add(Value.of(rows.current()));
        }
      }
      writer.end();
    }
    return writer.build();
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    input.close();
  }
}

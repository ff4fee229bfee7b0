package dev.mayfly.mql.rows;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.sort.SortedRun;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/** Documents that can be read several times: kept in memory, then in a temporary file. */
public final class SpooledRows implements AutoCloseable {
  private static final byte[] NO_KEY = new byte[0];
  private static final int ENTRY_BYTES = 48;
  private static final int EXCEEDED_MEMORY = 292;

  private final Workspace workspace;
  private final QueryMemory.Holding memory;
  private final String stage;
  private final List<Document> documents = new ArrayList<>();
  private final List<SortedRun> runs = new ArrayList<>();
  private long bytes;

  /** Creates a spool for the stage with this name. */
  public SpooledRows(Workspace workspace, String stage) {
    this.workspace = workspace;
    this.memory = workspace.holding();
    this.stage = stage;
  }

  /** Adds all rows and closes them. */
  public void fill(Rows rows) {
    try (rows) {
      boolean more = true;
      while (more && memory.hold(bytes)) {
        more = rows.next();
        if (more) {
          documents.add(rows.current());
          bytes += ENTRY_BYTES + rows.current().length();
        }
      }
      if (more) {
        spill(rows);
      }
    }
  }

  /** Returns all documents again, from the first. */
  public Rows replay() {
    return runs.isEmpty() ? Rows.of(documents) : new Replay(documents, runs.getFirst().read());
  }

  private void spill(Rows rest) {
    if (!workspace.spills()) {
      throw new QueryException(
          Reason.LIMIT_EXCEEDED,
          EXCEEDED_MEMORY,
          "Exceeded memory limit for "
              + stage
              + ", but didn't allow external spilling; pass allowDiskUse:true to opt in");
    }
    try (SortedRun.Writer writer = new SortedRun.Writer(workspace)) {
      while (rest.next()) {
        writer.write(NO_KEY, rest.current());
      }
      runs.add(writer.finish());
    }
  }

  @Override
  public void close() {
    runs.forEach(SortedRun::delete);
    runs.clear();
    documents.clear();
    memory.close();
  }

  /** Documents in memory, then those in the file. */
  private static final class Replay implements Rows {
    private final Rows first;
    private final SortedRun.Reader second;
    private Document current = Document.EMPTY;

    Replay(List<Document> documents, SortedRun.Reader second) {
      this.first = Rows.of(documents);
      this.second = second;
    }

    @Override
    public boolean next() {
      if (first.next()) {
        current = first.current();
        return true;
      }
      if (!second.next()) {
        return false;
      }
      current = second.document();
      return true;
    }

    @Override
    public Document current() {
      return current;
    }

    @Override
    public void close() {
      second.close();
    }
  }
}

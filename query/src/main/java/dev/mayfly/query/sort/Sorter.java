package dev.mayfly.query.sort;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * External merge sort of documents by byte keys; stable.
 *
 * <p>Works in memory as long as that is sufficient, then writes sorted runs and merges them. With a
 * limit, it keeps no more than about twice as many documents, and rejects at once a document that
 * cannot be among the first.
 *
 * <p>Add all documents, call {@link #finish()}, then iterate with {@link #next()}.
 */
public final class Sorter implements AutoCloseable {
  /** Memory of an entry besides its bytes: two arrays, their owner, a list slot. */
  static final int ENTRY_BYTES = 96;

  private static final int FAN_IN = 32;
  private static final int SLACK = 1000;
  private static final int EXCEEDED_MEMORY = 292;
  private static final Entry GONE = new Entry(new byte[0], Document.EMPTY);

  private final Workspace workspace;
  private final QueryMemory.Holding memory;
  private final long limit;
  private List<Entry> entries = new ArrayList<>();
  private byte @Nullable [] worst;
  private long bytes;
  private final List<SortedRun> runs = new ArrayList<>();
  private @Nullable MergedRuns merged;
  private int at = -1;
  private long given;

  /** A document and its sort key. */
  private static final class Entry {
    private final byte[] key;
    private final Document document;

    Entry(byte[] key, Document document) {
      this.key = key;
      this.document = document;
    }

    long bytes() {
      return (long) ENTRY_BYTES + key.length + document.length();
    }
  }

  /** Creates a sorter that returns the first {@code limit} documents. */
  public Sorter(Workspace workspace, long limit) {
    this.workspace = workspace;
    this.memory = workspace.holding();
    this.limit = limit;
  }

  public void add(byte[] key, Document document) {
    Interrupt.steps(Interrupt.ofBytes(key.length));
    byte[] bound = worst;
    if (limit == 0 || (bound != null && Arrays.compareUnsigned(key, bound) >= 0)) {
      return;
    }
    Entry entry = new Entry(key, document);
    entries.add(entry);
    bytes += entry.bytes();
    boolean few = limit < (Integer.MAX_VALUE - SLACK) / 2 && entries.size() >= 2 * limit;
    if (few && (entries.size() >= 2 * limit + SLACK || !memory.hold(bytes))) {
      keepFirst();
    }
    if (!memory.hold(bytes)) {
      spill();
    }
  }

  /** Ends the input. */
  public void finish() {
    if (runs.isEmpty()) {
      sort();
      return;
    }
    if (!entries.isEmpty()) {
      spill();
    }
    while (runs.size() > FAN_IN) {
      mergeOnce();
    }
    merged = new MergedRuns(runs);
  }

  /** Advances to the next document; returns false after the last one. */
  public boolean next() {
    if (given >= limit) {
      return false;
    }
    given++;
    Interrupt.steps(1);
    MergedRuns all = merged;
    if (all != null) {
      return all.next();
    }
    if (at >= 0 && at < entries.size()) {
      entries.set(at, GONE);
    }
    at = Math.min(at + 1, entries.size());
    return at < entries.size();
  }

  public byte[] key() {
    MergedRuns all = merged;
    return all != null ? all.key() : entries.get(at).key;
  }

  /** Returns the current document. */
  public Document document() {
    MergedRuns all = merged;
    return all != null ? all.document() : entries.get(at).document;
  }

  /** Drops documents that cannot be among the first, and remembers the greatest key that can. */
  private void keepFirst() {
    sort();
    entries.subList((int) limit, entries.size()).clear();
    worst = entries.getLast().key;
    bytes = entries.stream().mapToLong(Entry::bytes).sum();
  }

  private void sort() {
    entries.sort(Interrupt.counting((a, b) -> Arrays.compareUnsigned(a.key, b.key)));
  }

  private void spill() {
    if (!workspace.spills()) {
      throw new QueryException(
          Reason.LIMIT_EXCEEDED,
          EXCEEDED_MEMORY,
          "Sort exceeded memory limit of "
              + workspace.memoryBytes()
              + " bytes, but did not opt in to external sorting.");
    }
    sort();
    try (SortedRun.Writer writer = new SortedRun.Writer(workspace)) {
      int kept = (int) Math.min(limit, entries.size());
      for (Entry entry : entries.subList(0, kept)) {
        Interrupt.steps(Interrupt.ofBytes(entry.document.length()));
        writer.write(entry.key, entry.document);
      }
      runs.add(writer.finish());
    }
    entries = new ArrayList<>();
    bytes = 0;
    memory.hold(0);
  }

  /** Merges adjacent runs, so that fewer files are open at the same time. */
  private void mergeOnce() {
    int left = runs.size();
    while (left > 0) {
      List<SortedRun> some = runs.subList(0, Math.min(FAN_IN, left));
      left -= some.size();
      SortedRun merged = merge(some);
      some.forEach(SortedRun::delete);
      some.clear();
      runs.add(merged);
    }
  }

  private SortedRun merge(List<SortedRun> some) {
    try (SortedRun.Writer writer = new SortedRun.Writer(workspace);
        MergedRuns together = new MergedRuns(some)) {
      for (long left = limit; left > 0 && together.next(); left--) {
        Interrupt.steps(Interrupt.ofBytes(together.document().length()));
        writer.write(together.key(), together.document());
      }
      return writer.finish();
    }
  }

  @Override
  public void close() {
    MergedRuns open = merged;
    if (open != null) {
      open.close();
    }
    runs.forEach(SortedRun::delete);
    runs.clear();
    entries = new ArrayList<>();
    at = entries.size();
    memory.close();
  }
}

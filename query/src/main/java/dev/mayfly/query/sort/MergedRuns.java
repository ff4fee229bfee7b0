package dev.mayfly.query.sort;

import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Merge of several sorted runs; entries with equal keys come in the order of their runs. */
final class MergedRuns implements AutoCloseable {
  private static final Comparator<Head> ORDER =
      Comparator.<Head, byte[]>comparing(head -> head.reader.key(), Arrays::compareUnsigned)
          .thenComparingInt(head -> head.place);

  private final PriorityQueue<Head> heads = new PriorityQueue<>(ORDER);
  private final List<SortedRun.Reader> readers = new ArrayList<>();
  private @Nullable Head current;

  /** Read position in one run. */
  private static final class Head {
    private final SortedRun.Reader reader;
    private final int place;

    Head(SortedRun.Reader reader, int place) {
      this.reader = reader;
      this.place = place;
    }
  }

  MergedRuns(List<SortedRun> runs) {
    for (SortedRun run : runs) {
      SortedRun.Reader reader = run.read();
      readers.add(reader);
      advance(new Head(reader, readers.size()));
    }
  }

  boolean next() {
    Head last = current;
    if (last != null) {
      advance(last);
    }
    current = heads.poll();
    return current != null;
  }

  byte[] key() {
    return at().reader.key();
  }

  Document document() {
    return at().reader.document();
  }

  private Head at() {
    Head head = current;
    if (head == null) {
      throw new IllegalStateException("not at an entry");
    }
    return head;
  }

  private void advance(Head head) {
    if (head.reader.next()) {
      heads.add(head);
    }
  }

  @Override
  public void close() {
    readers.forEach(SortedRun.Reader::close);
  }
}

package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.pipeline.Sorter;
import dev.mayfly.query.pipeline.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The matching records of a query, in the order it wants. Belongs to one thread at a time. */
interface RecordStream extends AutoCloseable {
  /** The next record, null at the end. */
  byte @Nullable [] next();

  @Override
  void close();

  /** The matching records of one source, as they come. */
  final class Matching implements RecordStream {
    private final Source source;
    private final Matcher matcher;
    private final Charge charge;

    Matching(Source source, Matcher matcher, Charge charge) {
      this.source = source;
      this.matcher = matcher;
      this.charge = charge;
    }

    @Override
    public byte @Nullable [] next() {
      for (byte[] record = source.next(); record != null; record = source.next()) {
        Document document = Group.documentOf(record);
        if (matcher.matches(document)) {
          charge.add(document.length() / 1024.0 * Charge.FETCHED_KILOBYTE);
          return record;
        }
      }
      return null;
    }

    @Override
    public void close() {
      source.close();
    }
  }

  /** One stream after the other. */
  final class InTurn implements RecordStream {
    private final List<? extends RecordStream> streams;
    private int at;

    InTurn(List<? extends RecordStream> streams) {
      this.streams = streams;
    }

    @Override
    public byte @Nullable [] next() {
      while (at < streams.size()) {
        byte[] record = streams.get(at).next();
        if (record != null) {
          return record;
        }
        at++;
      }
      return null;
    }

    @Override
    public void close() {
      streams.forEach(RecordStream::close);
    }
  }

  /**
   * Several streams that are in order as one; of equal records the earlier stream's comes first.
   */
  final class Merged implements RecordStream {
    private static final Comparator<Head> ORDER =
        Comparator.<Head, byte[]>comparing(head -> head.key, Arrays::compareUnsigned)
            .thenComparingInt(head -> head.place);

    private final List<? extends RecordStream> streams;
    private final DocumentComparator order;
    private final PriorityQueue<Head> heads = new PriorityQueue<>(ORDER);
    private boolean begun;

    /** The record that a stream gives next. */
    private static final class Head {
      private final int place;
      private final byte[] key;
      private final byte[] record;

      Head(int place, byte[] key, byte[] record) {
        this.place = place;
        this.key = key;
        this.record = record;
      }
    }

    Merged(List<? extends RecordStream> streams, DocumentComparator order) {
      this.streams = streams;
      this.order = order;
    }

    @Override
    public byte @Nullable [] next() {
      if (!begun) {
        begun = true;
        for (int place = 0; place < streams.size(); place++) {
          advance(place);
        }
      }
      Head first = heads.poll();
      if (first == null) {
        return null;
      }
      advance(first.place);
      return first.record;
    }

    private void advance(int place) {
      byte[] record = streams.get(place).next();
      if (record != null) {
        heads.add(new Head(place, order.key(Group.documentOf(record)), record));
      }
    }

    @Override
    public void close() {
      streams.forEach(RecordStream::close);
    }
  }

  /** All records of a stream, sorted when the first is asked for; equal ones as they came. */
  final class Sorted implements RecordStream {
    private final RecordStream input;
    private final DocumentComparator order;
    private final Sorter sorter;
    private boolean filled;

    Sorted(RecordStream input, DocumentComparator order, Workspace workspace, long wanted) {
      this.input = input;
      this.order = order;
      this.sorter = new Sorter(workspace, wanted);
    }

    @Override
    public byte @Nullable [] next() {
      if (!filled) {
        filled = true;
        fill();
      }
      return sorter.next() ? record(sorter.document()) : null;
    }

    private void fill() {
      try {
        for (byte[] record = input.next(); record != null; record = input.next()) {
          sorter.add(order.key(Group.documentOf(record)), wrapped(record));
        }
        sorter.finish();
      } catch (QueryException refused) {
        if (refused.reason() == QueryException.Reason.LIMIT_EXCEEDED) {
          throw new EngineException(Reason.SORT_TOO_LARGE, String.valueOf(refused.getMessage()));
        }
        throw refused;
      }
    }

    /** A record is more than its document, and the sorter keeps documents. */
    private static Document wrapped(byte[] record) {
      return Document.writer().put("r", Value.binary((byte) 0, record)).build();
    }

    private static byte[] record(Document wrapped) {
      return wrapped.field("r").asBinary();
    }

    @Override
    public void close() {
      try (sorter) {
        input.close();
      }
    }
  }
}

package dev.mayfly.engine.read;

import dev.mayfly.engine.Charge;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.sort.Sorter;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stream of the matching records of a query, in its order. Used by one thread at a time. */
interface RecordStream extends AutoCloseable {
  /** Returns the next record; null at the end, or if a scan has used up its allowance. */
  byte @Nullable [] next();

  /** Returns whether there is no record because a scan has used up its allowance. */
  boolean resting();

  /** Returns the position of each scan after the last returned record. */
  List<Position> positions();

  @Override
  void close();

  /** The matching records of one scan, in its order. */
  final class Matching implements RecordStream {
    private final ShardScan shardScan;
    private final Matcher matcher;
    private final Function<byte[], Document> view;
    private final Charge charge;
    private long matched;

    /**
     * @param view returns the document of a record for the matcher
     */
    Matching(ShardScan shardScan, Matcher matcher, Function<byte[], Document> view, Charge charge) {
      this.shardScan = shardScan;
      this.matcher = matcher;
      this.view = view;
      this.charge = charge;
    }

    @Override
    public byte @Nullable [] next() {
      for (byte[] record = shardScan.next(); record != null; record = shardScan.next()) {
        Document document = view.apply(record);
        if (matcher.matches(document)) {
          matched++;
          charge.add(document.length() / 1024.0 * Charge.FETCHED_KILOBYTE);
          return record;
        }
      }
      return null;
    }

    @Override
    public boolean resting() {
      return shardScan.resting();
    }

    /** The number of records that have matched. */
    long matched() {
      return matched;
    }

    Position position() {
      return shardScan.position();
    }

    @Override
    public List<Position> positions() {
      return List.of(position());
    }

    @Override
    public void close() {
      shardScan.close();
    }
  }

  /** Concatenation of streams. */
  final class InTurn implements RecordStream {
    private final List<Matching> streams;
    private int at;

    InTurn(List<Matching> streams) {
      this.streams = streams;
    }

    @Override
    public byte @Nullable [] next() {
      while (at < streams.size()) {
        byte[] record = streams.get(at).next();
        if (record != null || resting()) {
          return record;
        }
        at++;
      }
      return null;
    }

    @Override
    public boolean resting() {
      return at < streams.size() && streams.get(at).resting();
    }

    @Override
    public List<Position> positions() {
      return streams.stream().map(Matching::position).toList();
    }

    @Override
    public void close() {
      streams.forEach(RecordStream::close);
    }
  }

  /** Merge of sorted streams; of equal records, that of the earlier stream comes first. */
  final class Merged implements RecordStream {
    private static final Comparator<Head> ORDER =
        Comparator.<Head, byte[]>comparing(head -> head.key, Arrays::compareUnsigned)
            .thenComparingInt(head -> head.place);

    private final List<Matching> streams;
    private final DocumentComparator order;
    private final Function<byte[], Document> view;
    private final PriorityQueue<Head> heads = new PriorityQueue<>(ORDER);
    private final Position[] given;
    private final BitSet withoutHead = new BitSet();

    /** The next record of a stream. */
    private static final class Head {
      private final int place;
      private final byte[] key;
      private final byte[] record;
      private final Position position;

      Head(int place, byte[] key, byte[] record, Position position) {
        this.place = place;
        this.key = key;
        this.record = record;
        this.position = position;
      }
    }

    Merged(List<Matching> streams, DocumentComparator order, Function<byte[], Document> view) {
      this.streams = streams;
      this.view = view;
      this.order = order;
      this.given = streams.stream().map(Matching::position).toArray(Position[]::new);
      this.withoutHead.set(0, streams.size());
    }

    @Override
    public byte @Nullable [] next() {
      advance();
      Head first = withoutHead.isEmpty() ? heads.poll() : null;
      if (first == null) {
        return null;
      }
      given[first.place] = first.position;
      withoutHead.set(first.place);
      return first.record;
    }

    /** Reads the next record of every stream that has no head, except resting ones. */
    private void advance() {
      for (int place = withoutHead.nextSetBit(0);
          place >= 0;
          place = withoutHead.nextSetBit(place + 1)) {
        Matching stream = streams.get(place);
        byte[] record = stream.next();
        withoutHead.set(place, record == null && stream.resting());
        if (record != null) {
          byte[] key = order.key(view.apply(record));
          heads.add(new Head(place, key, record, stream.position()));
        }
      }
    }

    @Override
    public boolean resting() {
      return withoutHead.stream().anyMatch(place -> streams.get(place).resting());
    }

    @Override
    public List<Position> positions() {
      Position[] positions = given.clone();
      // a resting stream has no head: its scan resumes where it rests
      withoutHead.stream()
          .filter(place -> streams.get(place).resting())
          .forEach(place -> positions[place] = streams.get(place).position());
      return List.of(positions);
    }

    @Override
    public void close() {
      streams.forEach(RecordStream::close);
    }
  }

  /** Stable sort of a stream, done with the first call of {@link #next}. */
  final class Sorted implements RecordStream {
    private final RecordStream input;
    private final DocumentComparator order;
    private final Function<byte[], Document> view;
    private final Sorter sorter;
    private boolean filled;

    Sorted(
        RecordStream input,
        DocumentComparator order,
        Function<byte[], Document> view,
        Workspace workspace,
        long wanted) {
      this.input = input;
      this.order = order;
      this.view = view;
      this.sorter = new Sorter(workspace, wanted);
    }

    @Override
    public byte @Nullable [] next() {
      if (!filled) {
        fill();
      }
      return filled && sorter.next() ? record(sorter.document()) : null;
    }

    @Override
    public boolean resting() {
      return !filled && input.resting();
    }

    @Override
    public List<Position> positions() {
      return input.positions();
    }

    private void fill() {
      try {
        for (byte[] record = input.next(); record != null; record = input.next()) {
          sorter.add(order.key(view.apply(record)), wrapped(record));
        }
        if (!input.resting()) {
          sorter.finish();
          filled = true;
        }
      } catch (QueryException refused) {
        if (refused.reason() == QueryException.Reason.LIMIT_EXCEEDED) {
          throw new EngineException(Reason.SORT_TOO_LARGE, String.valueOf(refused.getMessage()));
        }
        throw refused;
      }
    }

    /** Wraps a record in a document, because the sorter stores documents. */
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

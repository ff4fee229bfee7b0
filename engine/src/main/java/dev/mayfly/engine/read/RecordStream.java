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

/** The matching records of a query, in the order it wants. Belongs to one thread at a time. */
interface RecordStream extends AutoCloseable {
  /** The next record, null at the end, and when a source rests. */
  byte @Nullable [] next();

  /** True when there is no record because a source rests. */
  boolean resting();

  /** How far the sources have come, up to the record that was given last. */
  List<Position> positions();

  @Override
  void close();

  /** The matching records of one source, as they come. */
  final class Matching implements RecordStream {
    private final ShardScan shardScan;
    private final Matcher matcher;
    private final Function<byte[], Document> view;
    private final Charge charge;
    private long matched;

    /**
     * @param view what the matcher sees of a record
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

    /** How many records have matched so far. */
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

  /** One stream after the other. */
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

  /**
   * Several streams that are in order as one; of equal records the earlier stream's comes first.
   */
  final class Merged implements RecordStream {
    private static final Comparator<Head> ORDER =
        Comparator.<Head, byte[]>comparing(head -> head.key, Arrays::compareUnsigned)
            .thenComparingInt(head -> head.place);

    private final List<Matching> streams;
    private final DocumentComparator order;
    private final Function<byte[], Document> view;
    private final PriorityQueue<Head> heads = new PriorityQueue<>(ORDER);
    private final Position[] given;
    private final BitSet wanting = new BitSet();

    /** The record that a stream gives next. */
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
      this.wanting.set(0, streams.size());
    }

    @Override
    public byte @Nullable [] next() {
      advance();
      Head first = wanting.isEmpty() ? heads.poll() : null;
      if (first == null) {
        return null;
      }
      given[first.place] = first.position;
      wanting.set(first.place);
      return first.record;
    }

    /** Has every stream show what it gives next, but for those that rest. */
    private void advance() {
      for (int place = wanting.nextSetBit(0); place >= 0; place = wanting.nextSetBit(place + 1)) {
        Matching stream = streams.get(place);
        byte[] record = stream.next();
        wanting.set(place, record == null && stream.resting());
        if (record != null) {
          byte[] key = order.key(view.apply(record));
          heads.add(new Head(place, key, record, stream.position()));
        }
      }
    }

    @Override
    public boolean resting() {
      return wanting.stream().anyMatch(place -> streams.get(place).resting());
    }

    @Override
    public List<Position> positions() {
      Position[] positions = given.clone();
      // what rests has given nothing since, so that it need not look at the same again
      wanting.stream()
          .filter(place -> streams.get(place).resting())
          .forEach(place -> positions[place] = streams.get(place).position());
      return List.of(positions);
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

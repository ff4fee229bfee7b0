package dev.mayfly.engine.read;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Query;
import dev.mayfly.store.Direction;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A place among the documents of a query, from which it can be gone on with, in another process if
 * need be.
 *
 * <p>In bytes: 0 and the number of documents; or 1, a letter for the way, the number of its index,
 * its direction, and for each shard a byte for how far it is, with the length and bytes of a key
 * where it is at one.
 */
public sealed interface ResumePoint {
  /** So many documents have been given: those are found again and left out. */
  record Skipped(long count) implements ResumePoint {}

  /** So far the sources of a way have come. */
  record Reached(Way way, List<Position> positions) implements ResumePoint {
    public Reached {
      positions = List.copyOf(positions);
    }
  }

  /**
   * The way of a plan, as far as it must be the same for positions to mean the same.
   *
   * @param letter which kind of plan
   * @param index the number of its index, if it has one
   */
  record Way(char letter, long index, boolean backward) {
    /** The way of a plan; that of plans which cannot be gone on with is {@link #NONE}. */
    static Way of(Plan plan) {
      return switch (plan) {
        case Plan.Point _ -> new Way('P', 0, false);
        case Plan.Records(_, Direction direction) -> new Way('R', 0, direction == Direction.DOWN);
        case Plan.Ids(IndexMatch match) -> new Way('K', 0, backward(match));
        case Plan.Index(IndexState index, IndexMatch match) ->
            new Way('I', index.id(), backward(match));
        case Plan.Union _, Plan.Behind _, Plan.Arrivals _ -> NONE;
      };
    }

    private static boolean backward(IndexMatch match) {
      return match.direction() == IndexMatch.Direction.BACKWARD;
    }

    /** The plan of a query that takes this way, whatever way is better by now. */
    public Plan plan(CollectionState state, Query query, ToLongFunction<IndexState> arrays) {
      Plan best = Planner.plan(state, query, arrays);
      Plan plan =
          of(best).equals(this) ? best : Planner.plan(state, query.withHint(hint(state)), arrays);
      if (!of(plan).equals(this)) {
        throw lost();
      }
      return plan;
    }

    private Hint hint(CollectionState state) {
      return switch (letter) {
        case 'R' -> new Hint.Natural(backward);
        case 'K' -> new Hint.Index(Planner.ID_INDEX.name());
        case 'I' ->
            state.indexes().stream()
                .filter(one -> one.id() == index)
                .findFirst()
                .map(one -> new Hint.Index(one.spec().name()))
                .orElseThrow(ResumePoint::lost);
        default -> throw lost();
      };
    }
  }

  Way NONE = new Way('-', 0, false);

  /** That a place means nothing here. */
  static EngineException lost() {
    return new EngineException(
        Reason.BAD_HINT, "continuation is no longer valid: its index was dropped");
  }

  /** Reads what {@link #bytes} wrote. */
  static ResumePoint of(byte[] bytes) {
    try {
      return read(ByteBuffer.wrap(bytes));
    } catch (BufferUnderflowException tooShort) {
      throw lost();
    }
  }

  private static ResumePoint read(ByteBuffer in) {
    if (in.get() == 0) {
      return new Skipped(Math.max(0, in.getLong()));
    }
    Way way = new Way((char) in.get(), in.getLong(), in.get() != 0);
    List<Position> positions = new ArrayList<>();
    while (in.hasRemaining()) {
      positions.add(position(in));
    }
    return new Reached(way, positions);
  }

  private static Position position(ByteBuffer in) {
    return switch (in.get()) {
      case 0 -> new Position.Start();
      case 1 -> {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
          throw lost();
        }
        byte[] key = new byte[length];
        in.get(key);
        yield new Position.At(new ByteKey(key));
      }
      default -> new Position.End();
    };
  }

  /** A form that can be kept. */
  default byte[] bytes() {
    return switch (this) {
      case Skipped(long count) ->
          ByteBuffer.allocate(1 + Long.BYTES).put((byte) 0).putLong(count).array();
      case Reached(Way way, List<Position> positions) -> {
        ByteBuffer out = ByteBuffer.allocate(3 + Long.BYTES + length(positions));
        out.put((byte) 1).put((byte) way.letter()).putLong(way.index());
        out.put((byte) (way.backward() ? 1 : 0));
        positions.forEach(position -> write(position, out));
        yield out.array();
      }
    };
  }

  private static int length(List<Position> positions) {
    int length = 0;
    for (Position position : positions) {
      length += position instanceof Position.At(ByteKey key) ? 5 + key.array().length : 1;
    }
    return length;
  }

  private static void write(Position position, ByteBuffer out) {
    switch (position) {
      case Position.Start _ -> out.put((byte) 0);
      case Position.At(ByteKey key) ->
          out.put((byte) 1).putInt(key.array().length).put(key.array());
      case Position.End _ -> out.put((byte) 2);
    }
  }
}

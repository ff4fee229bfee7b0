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
 * Resume point of a query: the content of a continuation token. Immutable.
 *
 * <p>Encoding: 0 and the number of documents; or 1, the letter of the access path, the number of
 * its index, its direction, and for each shard one byte for the kind of position, followed by the
 * length and bytes of a key if there is one.
 */
public sealed interface ResumePoint {
  /** The number of documents returned so far: they are read again and skipped. */
  record Skipped(long count) implements ResumePoint {}

  /** The position of an access path in each shard. */
  record Reached(AccessPath way, List<Position> positions) implements ResumePoint {
    public Reached {
      positions = List.copyOf(positions);
    }
  }

  /**
   * Access path of a plan: positions are valid only for the same path.
   *
   * @param letter the kind of plan
   * @param index the number of its index; 0 without an index
   */
  record AccessPath(char letter, long index, boolean backward) {
    /** Returns the access path of a plan; {@link #NONE} for plans without positions. */
    static AccessPath of(Plan plan) {
      return switch (plan) {
        case Plan.Point _ -> new AccessPath('P', 0, false);
        case Plan.Records(_, Direction direction) ->
            new AccessPath('R', 0, direction == Direction.DOWN);
        case Plan.Ids(IndexMatch match) -> new AccessPath('K', 0, backward(match));
        case Plan.Index(IndexState index, IndexMatch match) ->
            new AccessPath('I', index.id(), backward(match));
        case Plan.Union _, Plan.After _, Plan.Arrivals _ -> NONE;
      };
    }

    private static boolean backward(IndexMatch match) {
      return match.direction() == IndexMatch.Direction.BACKWARD;
    }

    /** Returns the plan of a query with this access path, even if another plan is better now. */
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

  AccessPath NONE = new AccessPath('-', 0, false);

  /** The exception for a token that is not valid for the collection. */
  static EngineException lost() {
    return new EngineException(
        Reason.BAD_HINT,
        "the continuation token is not valid: it is of another query, or its index was dropped");
  }

  /** Decodes the result of {@link #bytes}. */
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
    AccessPath way = new AccessPath((char) in.get(), in.getLong(), in.get() != 0);
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

  /** Returns the encoded form. */
  default byte[] bytes() {
    return switch (this) {
      case Skipped(long count) ->
          ByteBuffer.allocate(1 + Long.BYTES).put((byte) 0).putLong(count).array();
      case Reached(AccessPath way, List<Position> positions) -> {
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

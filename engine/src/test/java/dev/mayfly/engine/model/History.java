package dev.mayfly.engine.model;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.StoredDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Linearizability check: operations of several threads on one document with their results. Finds
 * out whether a sequential order, consistent with real time, explains all results.
 *
 * <p>The search is exhaustive, for about a dozen operations.
 */
public final class History {
  private final AtomicLong ticks = new AtomicLong();
  private final List<Operation> operations = new ArrayList<>();

  /** Kind of operation. */
  public sealed interface Ask {
    record Insert(long value) implements Ask {}

    record Replace(long value) implements Ask {}

    /** Replaces the document if it has an expected version. */
    record Swap(long value, long expected) implements Ask {}

    record Add(long value) implements Ask {}

    record Delete() implements Ask {}

    record Read() implements Ask {}
  }

  /** State of the document: {@link #ABSENT} or a value with a version. */
  public record State(long value, long version) {
    public static State of(StoredDocument stored) {
      return new State(stored.document().field("n").asLong(), stored.version());
    }

    public static final State ABSENT = new State(0, -1);

    boolean present() {
      return version >= 0;
    }
  }

  /**
   * Result of an operation: the state that it has read or written, or the reason of its failure.
   */
  public record Answer(State state, EngineException.@Nullable Reason refused) {
    public static Answer of(State state) {
      return new Answer(state, null);
    }

    public static Answer refused(EngineException.Reason reason) {
      return new Answer(State.ABSENT, reason);
    }
  }

  private record Operation(Ask ask, Answer answer, long began, long ended) {}

  /** Returns the start tick for {@link #add}. */
  public long begin() {
    return ticks.incrementAndGet();
  }

  public void add(long began, Ask ask, Answer answer) {
    long ended = ticks.incrementAndGet();
    synchronized (operations) {
      operations.add(new Operation(ask, answer, began, ended));
    }
  }

  /** Returns whether some order explains all results, starting without a document. */
  public boolean explained() {
    return explained(State.ABSENT, operations);
  }

  private static boolean explained(State state, List<Operation> left) {
    if (left.isEmpty()) {
      return true;
    }
    long firstEnd = left.stream().mapToLong(Operation::ended).min().orElseThrow();
    for (Operation next : left) {
      if (next.began() < firstEnd && fits(state, next)) {
        List<Operation> rest = new ArrayList<>(left);
        rest.remove(next);
        State after = next.answer().refused() == null ? next.answer().state() : state;
        if (explained(after, rest)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether the result is correct in a state. */
  private static boolean fits(State before, Operation operation) {
    EngineException.Reason refused = operation.answer().refused();
    State after = operation.answer().state();
    if (refused != null) {
      return refused == refusal(before, operation.ask());
    }
    if (refusal(before, operation.ask()) != null) {
      return false;
    }
    return switch (operation.ask()) {
      case Ask.Insert(long value) -> after.value() == value && after.present();
      case Ask.Replace(long value) -> newer(before, after) && after.value() == value;
      case Ask.Swap(long value, _) -> newer(before, after) && after.value() == value;
      case Ask.Add(long value) -> newer(before, after) && after.value() == before.value() + value;
      case Ask.Delete _ -> !after.present();
      case Ask.Read _ -> after.equals(before);
    };
  }

  private static boolean newer(State before, State after) {
    return after.version() > before.version();
  }

  private static EngineException.@Nullable Reason refusal(State before, Ask ask) {
    return switch (ask) {
      case Ask.Insert _ -> before.present() ? EngineException.Reason.DUPLICATE_ID : null;
      case Ask.Swap(_, long expected) when before.present() ->
          before.version() == expected ? null : EngineException.Reason.VERSION_MISMATCH;
      case Ask.Replace _, Ask.Swap _, Ask.Add _, Ask.Delete _ ->
          before.present() ? null : EngineException.Reason.NOT_FOUND;
      case Ask.Read _ -> null;
    };
  }

  @Override
  public String toString() {
    return String.join("\n", operations.stream().map(Operation::toString).toList());
  }
}

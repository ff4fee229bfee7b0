package dev.mayfly.engine.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Linearizability check for long histories of documents that expire. The feed gives the order of
 * all writes, so no order has to be searched: the check is that this order agrees with real time,
 * and that every answer was true at some moment between the beginning and the end of its operation.
 *
 * <p>Every write gives its document a {@code token} that no other write uses, so that an answer
 * identifies the write that it has seen. Safe for many threads until {@link #check}.
 */
final class LongHistory {
  private static final int NOTHING = -1;

  private final AtomicLong ticks = new AtomicLong();
  private final ConcurrentLinkedQueue<Operation> operations = new ConcurrentLinkedQueue<>();

  /** What an operation has seen or done. */
  sealed interface Answer {
    /** It wrote a document. */
    record Wrote(long token, long deadline) implements Answer {}

    /** It deleted the document with this token. */
    record Deleted(long token) implements Answer {}

    /** It read the document with this token. */
    record Present(long token) implements Answer {}

    /** It found no document. */
    record Absent() implements Answer {}

    /** It found that a document has its id. */
    record IdTaken() implements Answer {}

    /** It found that another document has a unique key. */
    record KeyTaken(int key) implements Answer {}
  }

  /**
   * Beginning of an operation.
   *
   * @param clock engine time before it
   */
  record Begun(long tick, long clock) {}

  private record Operation(int id, Begun begun, long ended, long clockAfter, Answer answer) {}

  /** A state of one document: after a write, or without a document. */
  private static final class State {
    final long token;
    final int key;
    long deadline = Deadline.NEVER;

    /** When the operation that wrote it began and ended; the sweep may have done it at any time. */
    long began = Long.MIN_VALUE;

    long ended = Long.MAX_VALUE;

    State(long token, int key) {
      this.token = token;
      this.key = key;
    }

    boolean isPresent() {
      return token != NOTHING;
    }
  }

  Begun begin(long clock) {
    return new Begun(ticks.incrementAndGet(), clock);
  }

  void end(Begun begun, int id, long clockAfter, Answer answer) {
    operations.add(new Operation(id, begun, ticks.incrementAndGet(), clockAfter, answer));
  }

  /** Checks all operations against the changes, in the order of the feed. */
  void check(List<Change> changes) {
    Map<Integer, List<State>> states = new HashMap<>();
    Map<Long, State> byToken = new HashMap<>();
    Map<Long, State> afterToken = new HashMap<>();
    for (Change change : changes) {
      List<State> ofId = states.computeIfAbsent(change.key().id().asInt(), _ -> initial());
      State before = ofId.getLast();
      State next =
          switch (change.kind()) {
            case INSERT, UPDATE, REPLACE -> written(change.after());
            case DELETE, EXPIRE -> new State(NOTHING, NOTHING);
          };
      boolean inserts = change.kind() == Change.Kind.INSERT;
      assertThat(before.isPresent()).as("before %s", change).isEqualTo(!inserts);
      ofId.add(next);
      if (next.isPresent()) {
        assertThat(byToken.put(next.token, next)).as("written twice: %s", change).isNull();
      } else {
        afterToken.put(before.token, next);
      }
    }
    for (Operation operation : operations) {
      switch (operation.answer()) {
        case Answer.Wrote(long token, long deadline) -> {
          State state = byToken.get(token);
          assertThat(state).as("in the feed: %s", operation).isNotNull();
          state.deadline = deadline;
          locate(state, operation);
        }
        case Answer.Deleted(long token) -> {
          State state = afterToken.get(token);
          assertThat(state).as("in the feed: %s", operation).isNotNull();
          locate(state, operation);
        }
        case Answer.Present _, Answer.Absent _, Answer.IdTaken _, Answer.KeyTaken _ -> {}
      }
    }
    states.values().forEach(LongHistory::checkRealTime);
    Map<Integer, List<Operation>> byId = new HashMap<>();
    operations.forEach(one -> byId.computeIfAbsent(one.id(), _ -> new ArrayList<>()).add(one));
    byId.forEach((id, own) -> checkAnswers(own, states.getOrDefault(id, initial())));
    operations.forEach(operation -> checkKey(operation, states));
  }

  private static List<State> initial() {
    return new ArrayList<>(List.of(new State(NOTHING, NOTHING)));
  }

  private static State written(Document document) {
    return new State(document.field("token").asLong(), document.field("u").asInt());
  }

  private static void locate(State state, Operation operation) {
    state.began = operation.begun().tick();
    state.ended = operation.ended();
  }

  /** A write that began after another had ended comes later in the feed. */
  private static void checkRealTime(List<State> states) {
    long latestBegin = Long.MIN_VALUE;
    for (State state : states) {
      assertThat(state.ended).as("write of token %s", state.token).isGreaterThan(latestBegin);
      latestBegin = Math.max(latestBegin, state.began);
    }
  }

  /** Checks what the operations on one document have seen. */
  private static void checkAnswers(List<Operation> operations, List<State> states) {
    List<Operation> inOrder = new ArrayList<>(operations);
    inOrder.sort(Comparator.comparingLong(one -> one.begun().tick()));
    PriorityQueue<Operation> running =
        new PriorityQueue<>(Comparator.comparingLong(Operation::ended));
    int seen = 0;
    for (Operation operation : inOrder) {
      while (!running.isEmpty() && running.peek().ended() < operation.begun().tick()) {
        seen = Math.max(seen, indexOf(running.remove(), states));
      }
      running.add(operation);
      if (sees(operation)) {
        assertThat(explained(operation, states, seen)).as("%s", operation).isTrue();
      }
    }
  }

  private static boolean sees(Operation operation) {
    return switch (operation.answer()) {
      case Answer.Present _, Answer.Absent _, Answer.IdTaken _ -> true;
      case Answer.Wrote _, Answer.Deleted _, Answer.KeyTaken _ -> false;
    };
  }

  /** The state that an ended operation proves to have been reached. */
  private static int indexOf(Operation operation, List<State> states) {
    long token =
        switch (operation.answer()) {
          case Answer.Wrote(long written, _) -> written;
          case Answer.Present(long read) -> read;
          case Answer.Deleted(long deleted) -> deleted;
          case Answer.Absent _, Answer.IdTaken _, Answer.KeyTaken _ -> NOTHING;
        };
    int index = 0;
    for (int i = 0; token != NOTHING && i < states.size(); i++) {
      if (states.get(i).token == token) {
        index = operation.answer() instanceof Answer.Deleted ? i + 1 : i;
      }
    }
    return index;
  }

  /** Whether one of the states that the operation may have met gives its answer. */
  private static boolean explained(Operation operation, List<State> states, int from) {
    for (int i = from; i < states.size(); i++) {
      State state = states.get(i);
      boolean met = i == from || state.began < operation.ended();
      if (met && fits(operation, state)) {
        return true;
      }
    }
    return false;
  }

  private static boolean fits(Operation operation, State state) {
    boolean live = state.isPresent() && state.deadline > operation.begun().clock();
    boolean dead = !state.isPresent() || state.deadline <= operation.clockAfter();
    return switch (operation.answer()) {
      case Answer.Present(long token) -> live && state.token == token;
      case Answer.Absent _ -> dead;
      case Answer.IdTaken _ -> live;
      case Answer.Wrote _, Answer.Deleted _, Answer.KeyTaken _ -> false;
    };
  }

  /** A refused unique key was held by another document at some moment of the operation. */
  private static void checkKey(Operation operation, Map<Integer, List<State>> states) {
    if (!(operation.answer() instanceof Answer.KeyTaken(int key))) {
      return;
    }
    boolean taken = false;
    for (Map.Entry<Integer, List<State>> entry : states.entrySet()) {
      List<State> ofId = entry.getValue();
      for (int i = 0; i < ofId.size() && entry.getKey() != operation.id(); i++) {
        State state = ofId.get(i);
        boolean replacedBefore =
            i + 1 < ofId.size() && ofId.get(i + 1).ended < operation.begun().tick();
        taken |=
            state.isPresent()
                && state.key == key
                && state.deadline > operation.begun().clock()
                && state.began < operation.ended()
                && !replacedBefore;
      }
    }
    assertThat(taken).as("%s", operation).isTrue();
  }
}

package dev.mayfly.engine.local;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.catalog.ChangeTime;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.Sequence;
import dev.mayfly.engine.local.RunningCount.Difference;
import dev.mayfly.engine.shard.ShardOwner;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Expiry service of a collection in this process: counts on snapshots, changes by the catalog. */
final class LocalExpiryService implements ExpiryService {
  /** How often a count is started while writers go on, before the change fails. */
  private static final int COUNTS = 3;

  /** How often a count catches up with the writers before they wait for the rest. */
  private static final int CATCH_UPS = 10;

  /** Documents written meanwhile that are counted while writers go on, and while they wait. */
  private static final int MOST_WRITTEN_OUTSIDE = 200_000;

  private static final int MOST_WRITTEN_INSIDE = 5_000;

  private final Host host;

  /** The collection and its catalog, as far as this service needs them. */
  interface Host {
    /** Starts an operation and returns its time. */
    long enter();

    long now();

    /** Returns an instant as changes of rules see it. */
    ChangeTime moment(long now);

    Sequence sequence();

    List<ShardOwner> owners();

    CompiledCollection compiled();

    /** Returns whether this is the state of the collection and of all its shards. */
    boolean inForce(CompiledCollection state);

    /** Takes the collection from one state to the next while its writers wait. */
    void replace(StateChange change);
  }

  LocalExpiryService(Host host) {
    this.host = host;
  }

  @Override
  public Usage backlog() {
    long now = host.enter();
    Usage backlog = Usage.NONE;
    for (ShardOwner owner : host.owners()) {
      backlog = backlog.plus(owner.liveCounter().backlog(now));
    }
    return backlog;
  }

  @Override
  public Forecast forecast(long until) {
    long now = host.enter();
    return inOneState(state -> forecast(state, now, until));
  }

  private Forecast forecast(CollectionState state, long now, long until) {
    SortedMap<String, Usage> byRule = new TreeMap<>();
    for (ShardOwner owner : host.owners()) {
      owner
          .liveCounter()
          .between(state, owner.schedule().at(now), owner.schedule().at(Math.max(until, now)))
          .forEach((lane, usage) -> byRule.merge(state.ruleOf(lane), usage, Usage::plus));
    }
    return new Forecast(until, byRule);
  }

  @Override
  public Usage whatIf(UnaryOperator<CollectionSpec> change) {
    long now = host.enter();
    return inOneState(state -> whatIf(state, change, now));
  }

  private Usage whatIf(CollectionState state, UnaryOperator<CollectionSpec> change, long now) {
    long sequence = host.sequence().peek();
    CollectionState next =
        Alteration.apply(state, change.apply(state.spec()), host.moment(now), sequence);
    try (RunningCount count = new RunningCount(host.owners())) {
      return count.count(Difference.between(state, next, now));
    }
  }

  /** Repeats a count until the collection was in one state during all of it. */
  private <T> T inOneState(Function<CollectionState, T> count) {
    while (true) {
      CompiledCollection before = host.compiled();
      if (host.inForce(before)) {
        Optional<T> counted = Optional.empty();
        try {
          counted = Optional.of(count.apply(before.state()));
        } catch (RuntimeException failed) {
          if (host.inForce(before)) {
            throw failed;
          }
        }
        if (counted.isPresent() && host.inForce(before)) {
          return counted.get();
        }
      }
    }
  }

  @Override
  public Usage alter(UnaryOperator<CollectionSpec> change, long mostExpired) {
    if (mostExpired < NO_LIMIT) {
      return counted(new GuardedAlteration(change, mostExpired));
    }
    CollectionSpec present = host.compiled().spec();
    boolean sameRules = change.apply(present).timeToLive().equals(present.timeToLive());
    Usage expired = sameRules ? Usage.NONE : whatIf(change);
    host.replace(
        (state, at) ->
            Alteration.apply(state, change.apply(state.spec()), at, host.sequence().next()));
    return expired;
  }

  @Override
  public Usage undo() {
    return counted(new Undo());
  }

  /** A change of a collection that depends on the number of documents it concerns. */
  private interface CountedChange {
    /** Chooses the change by counting, while writers go on. */
    Candidate choose(CollectionState state, ChangeTime at, Function<Difference, Usage> count);

    /** Returns the state that a change leads to. */
    CollectionState next(CollectionState state, ChangeTime at, Candidate chosen);

    /** Returns the documents that such a change concerns. */
    Difference difference(CollectionState state, CollectionState next, ChangeTime at);

    /** Returns whether the change is to be done if it concerns these; another is chosen if not. */
    boolean fits(Usage concerned);
  }

  /**
   * A change that was chosen.
   *
   * @param steps how many changes it undoes
   */
  private record Candidate(Difference difference, int steps) {}

  /** Changes a collection unless that expires too much. */
  private final class GuardedAlteration implements CountedChange {
    private final UnaryOperator<CollectionSpec> change;
    private final long mostExpired;

    GuardedAlteration(UnaryOperator<CollectionSpec> change, long mostExpired) {
      this.change = change;
      this.mostExpired = mostExpired;
    }

    @Override
    public Candidate choose(
        CollectionState state, ChangeTime at, Function<Difference, Usage> count) {
      // documents written before the change, now or later, follow the rules before it
      CollectionState next =
          Alteration.apply(state, change.apply(state.spec()), at, Long.MAX_VALUE);
      Difference difference = Difference.between(state, next, at.now());
      checkExpired(count.apply(difference));
      return new Candidate(difference, 0);
    }

    @Override
    public CollectionState next(CollectionState state, ChangeTime at, Candidate only) {
      return Alteration.apply(state, change.apply(state.spec()), at, host.sequence().next());
    }

    @Override
    public Difference difference(CollectionState state, CollectionState next, ChangeTime at) {
      return Difference.between(state, next, at.now());
    }

    @Override
    public boolean fits(Usage expired) {
      checkExpired(expired);
      return true;
    }

    private void checkExpired(Usage expired) {
      if (expired.documents() > mostExpired) {
        throw new EngineException(
            Reason.EXPIRES_TOO_MUCH,
            expired.documents() + " documents would expire at once",
            expired.documents());
      }
    }
  }

  /** Undoes changes of rules until documents are live again. */
  private static final class Undo implements CountedChange {
    @Override
    public Candidate choose(
        CollectionState state, ChangeTime at, Function<Difference, Usage> count) {
      CollectionState undone = state;
      for (int steps = 1; ; steps++) {
        undone = Alteration.undone(undone, at);
        Difference difference = Difference.between(undone, state, at.now());
        if (fits(count.apply(difference))) {
          return new Candidate(difference, steps);
        }
      }
    }

    @Override
    public CollectionState next(CollectionState state, ChangeTime at, Candidate chosen) {
      CollectionState undone = state;
      for (int step = 0; step < chosen.steps(); step++) {
        undone = Alteration.undone(undone, at);
      }
      return undone;
    }

    @Override
    public Difference difference(CollectionState state, CollectionState next, ChangeTime at) {
      return Difference.between(/* state= */ next, /* next= */ state, at.now());
    }

    @Override
    public boolean fits(Usage restored) {
      return restored.documents() > 0;
    }
  }

  /**
   * Counts the documents of a change, does it, and returns what it concerned. Writers wait only
   * while the last few documents written meanwhile are counted. If the store has no snapshots, they
   * wait for the whole count.
   *
   * @throws EngineException WRITE_CONFLICT if documents are written too fast for that, repeatedly
   */
  private Usage counted(CountedChange change) {
    if (consistent()) {
      for (int attempt = 0; attempt < COUNTS; attempt++) {
        Optional<Usage> done = countedOutside(change);
        if (done.isPresent()) {
          return done.get();
        }
      }
      throw new EngineException(
          Reason.WRITE_CONFLICT,
          "documents or rules change faster than they can be counted: try again");
    }
    AtomicReference<Usage> concerned = new AtomicReference<>(Usage.NONE);
    host.replace(
        (state, at) -> {
          try (RunningCount count = new RunningCount(host.owners())) {
            Candidate chosen = change.choose(state, at, count::count);
            concerned.set(count.counted());
            return change.next(state, at, chosen);
          }
        });
    return concerned.get();
  }

  private boolean consistent() {
    try (RunningCount count = new RunningCount(host.owners())) {
      return count.consistent();
    }
  }

  private Optional<Usage> countedOutside(CountedChange change) {
    try (RunningCount count = new RunningCount(host.owners())) {
      CompiledCollection counted = host.compiled();
      Candidate chosen = change.choose(counted.state(), host.moment(host.now()), count::count);
      Difference before = chosen.difference();
      int catchUps = 0;
      do {
        if (!count.catchUp(before, before, MOST_WRITTEN_OUTSIDE)) {
          return Optional.empty();
        }
      } while (count.caughtUp() > MOST_WRITTEN_INSIDE / 2 && ++catchUps < CATCH_UPS);
      AtomicReference<Optional<Usage>> concerned = new AtomicReference<>(Optional.empty());
      host.replace(
          (state, at) -> {
            CollectionState next = change.next(state, at, chosen);
            boolean valid =
                host.compiled() == counted
                    && count.catchUp(
                        before, change.difference(state, next, at), MOST_WRITTEN_INSIDE)
                    && change.fits(count.counted());
            concerned.set(valid ? Optional.of(count.counted()) : Optional.empty());
            return valid ? next : state;
          });
      return concerned.get();
    }
  }
}

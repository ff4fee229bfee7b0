package dev.mayfly.engine.local;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.ExpiryService.RuleChangeEntry;
import dev.mayfly.engine.ExpiryService.Soonest;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.engine.ExpiryService.UndoPreview;
import dev.mayfly.engine.ExpiryService.WhatIf;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Forecast.Series;
import dev.mayfly.engine.Forecast.Series.Spans;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.catalog.ChangeTime;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.PreviousRules;
import dev.mayfly.engine.catalog.Sequence;
import dev.mayfly.engine.local.RunningCount.Difference;
import dev.mayfly.engine.read.DeadChildren;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.query.Query;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Expiry service of a collection in this process: counts on snapshots, and changes rules through
 * the catalog. Safe for many threads.
 */
final class LocalExpiryService implements ExpiryService {
  /** Attempts to count concurrently with writers before the change fails. */
  private static final int MAX_ATTEMPTS = 3;

  /** How often a count catches up with the writers before they must wait for the rest. */
  private static final int MAX_CATCH_UPS = 10;

  /**
   * Maximum number of documents written meanwhile that are counted concurrently with writers, and
   * while writers wait.
   */
  private static final int MAX_WRITTEN_CONCURRENT = 200_000;

  private static final int MAX_WRITTEN_LOCKED = 5_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Host host;
  private final LongSupplier instant;
  private final Supplier<OperationContext> operation;

  /** The collection and its catalog, as far as this service needs them. */
  interface Host {
    /** Starts an operation and returns its instant. */
    long enter();

    /** Starts a call of an operation and returns the instant of the operation. */
    long enter(OperationContext operation);

    long now();

    /** The time that removals use: earlier while a step of the clock is not confirmed. */
    long confirmedNow();

    /** Nanoseconds from any origin. */
    long nanos();

    /** Returns the instant of a rule change, with the limits of the sweep at that time. */
    ChangeTime changeTime(long now);

    Sequence sequence();

    List<ShardOwner> owners();

    /** Returns the owner of the shard of a key. */
    ShardOwner ownerOf(PrimaryKey key);

    CompiledCollection compiled();

    /** Returns whether a state is the current state of the collection and of all its shards. */
    boolean isCurrent(CompiledCollection state);

    /** The collection itself. */
    Collection collection();

    /** Changes the state of the collection while its writers wait. */
    void replace(StateChange change);

    ArchiveStatus archiveStatus();
  }

  /** Each call is an operation of its own. */
  LocalExpiryService(Host host) {
    this.host = host;
    this.instant = host::enter;
    this.operation = () -> host.collection().operation();
  }

  /** All calls are of one operation. */
  LocalExpiryService(Host host, OperationContext operation) {
    this.host = host;
    this.instant = () -> host.enter(operation);
    this.operation = () -> operation;
  }

  @Override
  public Touched touch(Query query, Touch touch, BooleanSupplier stop) {
    OperationContext context = operation.get();
    context.mayWait();
    long began = touch.since() == Touch.FROM_NOW ? host.sequence().peek() : touch.since();
    return new TouchRun(host.collection(), context, query, touch).run(query, began, stop);
  }

  @Override
  public Warnings warnings(String after, long withinMillis, int most) {
    long now = instant.getAsLong();
    long until = Deadline.of(now, withinMillis);
    // a position does not go back, an unconfirmed clock may
    boolean reads = host.confirmedNow() >= now;
    return inOneState(
        state -> {
          ExpiryWarnings warnings = new ExpiryWarnings(state, host.owners(), now, most);
          return reads ? warnings.read(after, until) : warnings.none(after);
        });
  }

  @Override
  public ArchiveStatus archiveStatus() {
    return host.archiveStatus();
  }

  @Override
  public Usage backlog() {
    long now = instant.getAsLong();
    Usage backlog = Usage.NONE;
    for (ShardOwner owner : host.owners()) {
      backlog = backlog.plus(owner.liveCounter().backlog(now));
    }
    return backlog.plus(DeadChildren.count(host.owners(), now));
  }

  @Override
  public Forecast forecast(long until) {
    long now = instant.getAsLong();
    persistTouches();
    return inOneState(state -> forecast(state.state(), now, until));
  }

  private Forecast forecast(CollectionState state, long now, long until) {
    SortedMap<String, Usage> byRule = new TreeMap<>();
    for (ShardOwner owner : host.owners()) {
      owner
          .liveCounter()
          .between(state, owner.schedule().at(now), owner.schedule().at(Math.max(until, now)))
          .forEach((lane, usage) -> byRule.merge(state.ruleOf(lane), usage, Usage::plus));
    }
    long end = Math.max(until, now);
    new FollowingForecast(state, now, deadline -> deadline <= end ? byRule : null)
        .add(host.owners(), end);
    return new Forecast(until, byRule);
  }

  @Override
  public Series forecast(Spans spans, BooleanSupplier stop) {
    persistTouches();
    return report(reports -> reports.forecast(spans, stop));
  }

  @Override
  public List<Life> explain(List<DocumentKey> keys) {
    persistTouches(keys);
    return report(
        reports -> keys.stream().map(key -> reports.explain(key, host::ownerOf)).toList());
  }

  @Override
  public Soonest soonest(String after, int most, BooleanSupplier stop) {
    persistTouches();
    return report(reports -> reports.soonest(after, most, stop));
  }

  @Override
  public BooleanSupplier after(long millis) {
    long start = host.nanos();
    return () -> host.nanos() - start >= millis * NANOS_PER_MILLI;
  }

  @Override
  public SortedMap<String, Long> nextDeadlines() {
    persistTouches();
    return report(ExpiryReports::nextDeadlines);
  }

  @Override
  public NeverExpiring neverExpiring(int most) {
    return report(reports -> reports.neverExpiring(most));
  }

  @Override
  public OptionalLong countNeverExpiring(BooleanSupplier stop) {
    return report(reports -> reports.countNeverExpiring(stop));
  }

  /** Persists all touches, so that reports about later deadlines contain them. */
  private void persistTouches() {
    host.owners().forEach(owner -> owner.sliding().persistDueAt(Deadline.NEVER));
  }

  /** As {@link #persistTouches()}, of some documents. */
  private void persistTouches(List<DocumentKey> keys) {
    for (DocumentKey key : keys) {
      PrimaryKey primaryKey = PrimaryKey.of(host.compiled().spec(), key);
      host.ownerOf(primaryKey).sliding().persist(primaryKey.bytes());
    }
  }

  /** Makes a report in one state of the collection, at one instant. */
  private <T> T report(Function<ExpiryReports, T> report) {
    long now = instant.getAsLong();
    host.owners().forEach(owner -> owner.sliding().settle(now));
    return inOneState(state -> report.apply(new ExpiryReports(state, host.owners(), now)));
  }

  @Override
  public Usage whatIf(UnaryOperator<CollectionSpec> change) {
    persistTouches();
    long now = instant.getAsLong();
    return inOneState(
        state -> counting(difference(state.state(), change, now), RunningCount::count));
  }

  @Override
  public WhatIf whatIf(UnaryOperator<CollectionSpec> change, int mostKeys) {
    persistTouches();
    long now = instant.getAsLong();
    return inOneState(
        state ->
            counting(
                difference(state.state(), change, now),
                (count, difference) ->
                    new WhatIf(
                        count.countByRule(difference),
                        count.some(difference, mostKeys).stream()
                            .map(document -> DocumentKey.of(state.spec(), document))
                            .toList(),
                        state.state().rulesTag())));
  }

  @Override
  public Series forecast(UnaryOperator<CollectionSpec> change, Spans spans, BooleanSupplier stop) {
    persistTouches();
    long now = instant.getAsLong();
    return inOneState(
        state -> {
          Difference difference = difference(state.state(), change, now);
          return new ExpiryReports(state, host.owners(), now)
              .forecast(difference.state(), difference.dead(), difference.live(), spans, stop);
        });
  }

  /** Returns the difference that a change would make. */
  private Difference difference(
      CollectionState state, UnaryOperator<CollectionSpec> change, long now) {
    CollectionState next =
        Alteration.apply(
            state, change.apply(state.spec()), host.changeTime(now), host.sequence().peek());
    return Difference.between(state, next, now);
  }

  private <T> T counting(Difference difference, BiFunction<RunningCount, Difference, T> action) {
    try (RunningCount count = new RunningCount(host.owners())) {
      return action.apply(count, difference);
    }
  }

  /** Repeats a count until the collection was in one state during all of it. */
  private <T> T inOneState(Function<CompiledCollection, T> count) {
    while (true) {
      CompiledCollection before = host.compiled();
      if (host.isCurrent(before)) {
        Optional<T> counted = Optional.empty();
        try {
          counted = Optional.of(count.apply(before));
        } catch (RuntimeException failed) {
          if (host.isCurrent(before)) {
            throw failed;
          }
        }
        if (counted.isPresent() && host.isCurrent(before)) {
          return counted.get();
        }
      }
    }
  }

  @Override
  public Usage alter(UnaryOperator<CollectionSpec> change, long mostExpired, String ifRules) {
    checkRules(host.compiled().state(), ifRules);
    if (mostExpired < NO_LIMIT) {
      return counted(new GuardedAlteration(change, mostExpired, ifRules));
    }
    CollectionSpec present = host.compiled().spec();
    boolean sameRules = change.apply(present).timeToLive().equals(present.timeToLive());
    Usage expired = sameRules ? Usage.NONE : whatIf(change);
    host.replace(
        (state, at) -> {
          checkRules(state, ifRules);
          CollectionState next =
              Alteration.apply(state, change.apply(state.spec()), at, host.sequence().next());
          return sameRules ? next : logged(state, next, at, expired);
        });
    return expired;
  }

  private static void checkRules(CollectionState state, String ifRules) {
    if (!ifRules.equals(ANY_RULES) && !ifRules.equals(state.rulesTag())) {
      throw new EngineException(
          Reason.RULES_CHANGED, "the rules have changed since they were read: read them again");
    }
  }

  /** Returns the next state with the change of rules in its history. */
  private static CollectionState logged(
      CollectionState state, CollectionState next, ChangeTime at, Usage expired) {
    return next.withRuleChange(
        state,
        at.now(),
        /* undo= */ false,
        OptionalLong.of(expired.documents()),
        ChangeAuthor.current());
  }

  @Override
  public String rulesTag() {
    return host.compiled().state().rulesTag();
  }

  @Override
  public List<RuleChangeEntry> ruleChanges() {
    return host.compiled().state().ruleChanges();
  }

  @Override
  public Usage undo() {
    return counted(new Undo());
  }

  @Override
  public Optional<UndoPreview> undoPreview() {
    long now = instant.getAsLong();
    return inOneState(state -> undoPreview(state.state(), host.changeTime(now)));
  }

  private Optional<UndoPreview> undoPreview(CollectionState state, ChangeTime at) {
    try (RunningCount count = new RunningCount(host.owners())) {
      Undo undo = new Undo();
      Candidate chosen = undo.choose(state, at, count::count);
      PreviousRules changed = state.history().get(state.history().size() - chosen.steps());
      TimeToLive rules = state.spec().timeToLive();
      return Optional.of(
          new UndoPreview(
              count.counted(),
              changed.until() + rules.graceMillis(),
              changed.until(),
              rules,
              undo.next(state, at, chosen).spec().timeToLive()));
    } catch (EngineException refused) {
      if (refused.reason() == Reason.NOTHING_TO_UNDO) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  /** A change of a collection that depends on the number of documents that it affects. */
  private interface CountedChange {
    /** Chooses the change by counting, concurrently with writers. */
    Candidate choose(CollectionState state, ChangeTime at, Function<Difference, Usage> count);

    /** Returns the state that a change leads to. */
    CollectionState next(CollectionState state, ChangeTime at, Candidate chosen);

    /** Returns the next state with the change in its history. */
    CollectionState logged(
        CollectionState state, CollectionState next, ChangeTime at, Usage affected);

    /** Returns the difference that counts the documents affected by a change. */
    Difference difference(CollectionState state, CollectionState next, ChangeTime at);

    /**
     * Returns whether to apply the change if it affects these documents; otherwise another one is
     * chosen.
     */
    boolean fits(Usage affected);
  }

  /**
   * A change that was chosen.
   *
   * @param steps the number of rule changes that it undoes
   */
  private record Candidate(Difference difference, int steps) {}

  /** Changes a collection unless that expires more documents than a limit. */
  private final class GuardedAlteration implements CountedChange {
    private final UnaryOperator<CollectionSpec> change;
    private final long mostExpired;
    private final String ifRules;

    GuardedAlteration(UnaryOperator<CollectionSpec> change, long mostExpired, String ifRules) {
      this.change = change;
      this.mostExpired = mostExpired;
      this.ifRules = ifRules;
    }

    @Override
    public Candidate choose(
        CollectionState state, ChangeTime at, Function<Difference, Usage> count) {
      checkRules(state, ifRules);
      // documents written before the change, now or later, follow the rules before it
      CollectionState next =
          Alteration.apply(state, change.apply(state.spec()), at, Long.MAX_VALUE);
      Difference difference = Difference.between(state, next, at.now());
      checkExpired(count.apply(difference));
      return new Candidate(difference, 0);
    }

    @Override
    public CollectionState next(CollectionState state, ChangeTime at, Candidate only) {
      checkRules(state, ifRules);
      return Alteration.apply(state, change.apply(state.spec()), at, host.sequence().next());
    }

    @Override
    public CollectionState logged(
        CollectionState state, CollectionState next, ChangeTime at, Usage expired) {
      return next.spec().timeToLive().equals(state.spec().timeToLive())
          ? next
          : LocalExpiryService.logged(state, next, at, expired);
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

  /** Undoes rule changes, the latest first, until documents become live again. */
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
    public CollectionState logged(
        CollectionState state, CollectionState next, ChangeTime at, Usage restored) {
      return next.withRuleChange(
          state,
          at.now(),
          /* undo= */ true,
          OptionalLong.of(restored.documents()),
          ChangeAuthor.current());
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
   * Counts the documents that a change affects, applies it, and returns the count. Writers wait
   * only while the last documents written meanwhile are counted. If the store has no snapshots,
   * they wait for the whole count.
   *
   * @throws EngineException WRITE_CONFLICT if documents or rules change too fast for that
   */
  private Usage counted(CountedChange change) {
    if (consistent()) {
      for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        Optional<Usage> done = countedConcurrently(change);
        if (done.isPresent()) {
          return done.get();
        }
      }
      throw new EngineException(
          Reason.WRITE_CONFLICT,
          "documents or rules change faster than documents can be counted: try again");
    }
    AtomicReference<Usage> affected = new AtomicReference<>(Usage.NONE);
    host.replace(
        (state, at) -> {
          try (RunningCount count = new RunningCount(host.owners())) {
            Candidate chosen = change.choose(state, at, count::count);
            affected.set(count.counted());
            return change.logged(state, change.next(state, at, chosen), at, count.counted());
          }
        });
    return affected.get();
  }

  private boolean consistent() {
    try (RunningCount count = new RunningCount(host.owners())) {
      return count.consistent();
    }
  }

  private Optional<Usage> countedConcurrently(CountedChange change) {
    try (RunningCount count = new RunningCount(host.owners())) {
      CompiledCollection counted = host.compiled();
      Candidate chosen = change.choose(counted.state(), host.changeTime(host.now()), count::count);
      Difference before = chosen.difference();
      int catchUps = 0;
      do {
        if (!count.catchUp(before, before, MAX_WRITTEN_CONCURRENT)) {
          return Optional.empty();
        }
      } while (count.caughtUp() > MAX_WRITTEN_LOCKED / 2 && ++catchUps < MAX_CATCH_UPS);
      AtomicReference<Optional<Usage>> affected = new AtomicReference<>(Optional.empty());
      host.replace(
          (state, at) -> {
            CollectionState next = change.next(state, at, chosen);
            boolean valid =
                host.compiled() == counted
                    && count.catchUp(before, change.difference(state, next, at), MAX_WRITTEN_LOCKED)
                    && change.fits(count.counted());
            affected.set(valid ? Optional.of(count.counted()) : Optional.empty());
            return valid ? change.logged(state, next, at, count.counted()) : state;
          });
      return affected.get();
    }
  }
}

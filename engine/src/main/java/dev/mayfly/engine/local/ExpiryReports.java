package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec.ExpiresWith;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.Never;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.ExpiryService.NeverExpiring.Cause;
import dev.mayfly.engine.ExpiryService.RuleVerdict;
import dev.mayfly.engine.ExpiryService.Soonest;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Forecast.Series;
import dev.mayfly.engine.Forecast.Series.Spans;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.RuleVerdicts;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.liveness.ParentLookup;
import dev.mayfly.engine.read.DeadChildren;
import dev.mayfly.engine.read.DeadlineCounter;
import dev.mayfly.engine.read.RecordSampler;
import dev.mayfly.engine.read.SoonestScan;
import dev.mayfly.engine.read.SoonestScan.After;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reports about the expiry of a collection, in one of its states and at one instant: why documents
 * expire, which are next, how many expire when. Reads only. Used by one thread.
 */
final class ExpiryReports {
  /** How many records are read between two checks whether to stop. */
  private static final int CHECK_INTERVAL = 1024;

  private final CompiledCollection compiled;

  /** An instant after all deadlines but {@link Deadline#NEVER}. */
  private static final long END_OF_TIME = Deadline.NEVER - 1;

  private final CollectionState state;
  private final List<ShardOwner> owners;
  private final long now;

  ExpiryReports(CompiledCollection compiled, List<ShardOwner> owners, long now) {
    this.compiled = compiled;
    this.state = compiled.state();
    this.owners = owners;
    this.now = now;
  }

  /**
   * Explains the expiry of a document.
   *
   * @param owner of the shard of the key
   */
  Life explain(DocumentKey key, Function<PrimaryKey, ShardOwner> owner) {
    PrimaryKey primaryKey = PrimaryKey.of(state.spec(), key);
    ShardOwner shard = owner.apply(primaryKey);
    byte[] record = shard.record(primaryKey.bytes());
    if (record == null) {
      return new Life(
          key, Life.State.ABSENT, 0, 0, 0, Deadline.NEVER, "", false, List.of(), Map.of());
    }
    Liveness liveness = shard.liveness(now);
    ParentLookup present = liveness.parents();
    ParentLookup later = shard.view().liveness(END_OF_TIME).parents();
    Optional<RuleVerdict> with =
        present == null || later == null
            ? Optional.empty()
            : Optional.of(verdict(present, later, record));
    return liveness.isLive(record, primaryKey.bytes())
        ? live(key, record, with)
        : expired(key, record, shard.sweptLanes().covers(record, primaryKey.bytes()), with);
  }

  /**
   * Returns the verdict of the parent of a document: when it expires, with the document.
   *
   * @param sure the parents now: a watermark may have expired one before its deadline
   * @param parents the parents at the end of time
   */
  private RuleVerdict verdict(ParentLookup sure, ParentLookup parents, byte[] record) {
    ExpiresWith with = state.spec().expiresWith().orElseThrow();
    String rule = CollectionState.followingRule(with.collection());
    ParentLookup.Fate fate = sure.fate(record);
    if (fate.state() != ParentLookup.State.DEAD) {
      fate = parents.fate(record);
    }
    return switch (fate.state()) {
      case DEAD -> RuleVerdict.expires(rule, fate.deadline());
      case LIVE ->
          RuleVerdict.never(
              rule,
              Never.PARENT,
              "The document lives as long as its parent in "
                  + with.collection()
                  + ", which does not expire.");
      case NONE ->
          RuleVerdict.never(
              rule,
              Never.NO_PARENT,
              "No document of "
                  + with.collection()
                  + " has the id that is in the field "
                  + with.field()
                  + ".");
    };
  }

  private Life live(DocumentKey key, byte[] record, Optional<RuleVerdict> with) {
    Optional<Lane> lane = compiled.schedule().earliest(record);
    long own = compiled.schedule().deadline(record);
    Optional<RuleVerdict> sooner = with.filter(verdict -> verdict.deadline() < own);
    List<RuleVerdict> verdicts = verdicts(record);
    with.ifPresent(verdicts::add);
    return new Life(
        key,
        Life.State.LIVE,
        Header.version(record, 0),
        Header.writtenAt(record, 0),
        compiled.sliding().isEmpty() ? 0 : Header.usedAt(record, 0),
        sooner.map(RuleVerdict::deadline).orElse(own),
        sooner
            .map(RuleVerdict::rule)
            .orElseGet(() -> lane.map(first -> state.ruleOf(first.number())).orElse("")),
        false,
        verdicts,
        RuleVerdicts.values(state, record));
  }

  private List<RuleVerdict> verdicts(byte[] record) {
    List<RuleVerdict> verdicts = new ArrayList<>();
    if (compiled.paused()) {
      verdicts.add(
          RuleVerdict.never("", Never.PAUSED, "Expiry is paused on this server: nothing expires."));
    }
    verdicts.addAll(RuleVerdicts.of(state, record));
    return verdicts;
  }

  private Life expired(DocumentKey key, byte[] record, boolean swept, Optional<RuleVerdict> with) {
    Cutoffs cutoffs = compiled.schedule().at(now);
    int lane = cutoffs.expiringLane(record, true);
    long own = cutoffs.expiredAt(record, true);
    Optional<RuleVerdict> sooner = with.filter(verdict -> verdict.deadline() < own);
    return new Life(
        key,
        Life.State.EXPIRED,
        Header.version(record, 0),
        Header.writtenAt(record, 0),
        compiled.sliding().isEmpty() ? 0 : Header.usedAt(record, 0),
        sooner.map(RuleVerdict::deadline).orElse(own),
        sooner.map(RuleVerdict::rule).orElse(lane < 0 ? "" : state.ruleOf(lane)),
        swept,
        List.of(),
        Map.of());
  }

  // ---- the next documents

  /** Returns documents in the order of their deadlines, after a position if it is not empty. */
  Soonest soonest(String after, int most, BooleanSupplier stop) {
    DeadlinePlace start = after.isEmpty() ? DeadlinePlace.START : DeadlinePlace.of(after);
    return lanesBuilt() ? fromLanes(start, most) : fromRecords(start, most, stop);
  }

  private boolean lanesBuilt() {
    return compiled.schedule().lanes().stream()
        .allMatch(
            lane ->
                state.lanes().stream()
                    .anyMatch(built -> built.number() == lane.number() && built.ready()));
  }

  /** A shard at its next document. */
  private record Source(SoonestScan scan, int shard) {
    DeadlinePlace place() {
      return new DeadlinePlace(scan.deadline(), shard, new ByteKey(scan.primaryKey()));
    }
  }

  private Soonest fromLanes(DeadlinePlace start, int most) {
    List<SoonestScan> open = new ArrayList<>();
    try {
      PriorityQueue<Source> sources = new PriorityQueue<>(Comparator.comparing(Source::place));
      for (int shard = 0; shard < owners.size(); shard++) {
        SoonestScan scan = new SoonestScan(owners.get(shard), now, start.in(shard), _ -> true);
        open.add(scan);
        if (scan.next()) {
          sources.add(new Source(scan, shard));
        }
      }
      List<Soonest.Due> documents = new ArrayList<>();
      DeadlinePlace last = start;
      while (documents.size() < most && !sources.isEmpty()) {
        Source first = sources.remove();
        documents.add(due(first.scan().record()));
        last = first.place();
        if (first.scan().next()) {
          sources.add(first);
        }
      }
      return new Soonest(
          documents, sources.isEmpty() ? Optional.empty() : Optional.of(last.text()), true);
    } finally {
      open.forEach(SoonestScan::close);
    }
  }

  private Soonest.Due due(byte[] record) {
    StoredDocument stored = RecordFormat.stored(compiled.schedule(), record);
    String rule =
        compiled.schedule().earliest(record).map(lane -> state.ruleOf(lane.number())).orElse("");
    return new Soonest.Due(DocumentKey.of(state.spec(), stored.document()), stored, rule);
  }

  /** Reads all records and keeps the first ones; the lanes lack documents until they are built. */
  private Soonest fromRecords(DeadlinePlace start, int most, BooleanSupplier stop) {
    TreeMap<DeadlinePlace, byte[]> first = new TreeMap<>();
    boolean more = false;
    int reads = 0;
    for (int shard = 0; shard < owners.size(); shard++) {
      Liveness liveness = owners.get(shard).liveness(now);
      try (Snapshot snapshot = owners.get(shard).shard().snapshot();
          Scan scan = snapshot.scan(Space.RECORDS, Range.all(), Direction.UP)) {
        while (scan.next()) {
          if (++reads % CHECK_INTERVAL == 0 && stop.getAsBoolean()) {
            return new Soonest(List.of(), Optional.empty(), false);
          }
          byte[] record = scan.value();
          long deadline = compiled.schedule().deadline(record);
          DeadlinePlace place = new DeadlinePlace(deadline, shard, new ByteKey(scan.key()));
          if (deadline != Deadline.NEVER
              && place.compareTo(start) > 0
              && liveness.isLive(record, place.primaryKey().array())) {
            first.put(place, record);
            if (first.size() > most) {
              first.pollLastEntry();
              more = true;
            }
          }
        }
      }
    }
    return new Soonest(
        first.values().stream().map(this::due).toList(),
        more ? Optional.of(first.lastKey().text()) : Optional.empty(),
        true);
  }

  /** Returns the first deadline of each rule; empty while a lane is being built. */
  SortedMap<String, Long> nextDeadlines() {
    SortedMap<String, Long> next = new TreeMap<>();
    if (lanesBuilt()) {
      for (Lane lane : compiled.schedule().lanes()) {
        first(one -> one.number() == lane.number())
            .ifPresent(first -> next.merge(state.ruleOf(lane.number()), first, Math::min));
      }
    }
    return next;
  }

  private OptionalLong first(Predicate<Lane> which) {
    long first = Deadline.NEVER;
    for (ShardOwner owner : owners) {
      try (SoonestScan scan = new SoonestScan(owner, now, After.NOTHING, which)) {
        first = scan.next() ? Math.min(first, scan.deadline()) : first;
      }
    }
    return first == Deadline.NEVER ? OptionalLong.empty() : OptionalLong.of(first);
  }

  // ---- forecasts

  /** Returns what expires in spans of time under the current rules. */
  Series forecast(Spans spans, BooleanSupplier stop) {
    return forecast(state, compiled.schedule(), compiled.schedule(), spans, stop);
  }

  /**
   * Returns what expires in spans of time under other rules.
   *
   * @param next with the lanes of these rules
   * @param current decides which documents are live now
   */
  Series forecast(
      CollectionState next, Schedule rules, Schedule current, Spans spans, BooleanSupplier stop) {
    List<DeadlineCounter> counters = new ArrayList<>();
    try {
      for (ShardOwner owner : owners) {
        counters.add(DeadlineCounter.of(owner, next, rules, current, now, spans));
      }
      boolean read = counters.stream().allMatch(counter -> counter.readRecords(stop));
      int exact = 0;
      while (read && exact <= spans.count()) {
        int span = exact;
        read = counters.stream().allMatch(counter -> counter.read(span, stop));
        exact += read ? 1 : 0;
      }
      List<SortedMap<String, Usage>> counted = new ArrayList<>();
      for (int span = 0; span <= spans.count(); span++) {
        counted.add(counted(next, counters, span));
      }
      new FollowingForecast(next, now, deadline -> counted.get(spanOf(spans, deadline)))
          .add(owners, END_OF_TIME);
      List<Forecast> forecasts = new ArrayList<>();
      for (int span = 0; span < spans.count(); span++) {
        forecasts.add(new Forecast(spans.end(now, span), counted.get(span)));
      }
      Optional<Usage> later =
          exact <= spans.count()
              ? Optional.empty()
              : Optional.of(new Forecast(Deadline.NEVER, counted.getLast()).total());
      return new Series(now, forecasts, spans.end(now, Math.min(exact, spans.count()) - 1), later);
    } finally {
      counters.forEach(DeadlineCounter::close);
    }
  }

  /** Returns the span in which a deadline lies; the number of spans if it is later than all. */
  private int spanOf(Spans spans, long deadline) {
    int span = 0;
    while (span < spans.count() && deadline > spans.end(now, span)) {
      span++;
    }
    return span;
  }

  private static SortedMap<String, Usage> counted(
      CollectionState state, List<DeadlineCounter> counters, int span) {
    SortedMap<String, Usage> byRule = new TreeMap<>();
    for (DeadlineCounter counter : counters) {
      counter
          .counted(span)
          .forEach((lane, usage) -> byRule.merge(state.ruleOf(lane), usage, Usage::plus));
    }
    return byRule;
  }

  // ---- documents that do not expire

  /** Returns how many documents do not expire; empty if the count was stopped. */
  OptionalLong countNeverExpiring(BooleanSupplier stop) {
    return forecast(Spans.ALL, stop).never(live());
  }

  private long live() {
    long own = owners.stream().mapToLong(owner -> owner.liveCounter().usage(now).documents()).sum();
    return Math.max(own - DeadChildren.count(owners, now).documents(), 0);
  }

  /** Returns why documents do not expire, for all of them or for a sample. */
  NeverExpiring neverExpiring(int most) {
    long documents = live();
    Map<RuleVerdict, Tally> never = new LinkedHashMap<>();
    Map<RuleVerdict, Tally> byRule = new LinkedHashMap<>();
    boolean all = documents <= most;
    long sampled = 0;
    for (ShardOwner owner : owners) {
      int share = all ? most : Math.ceilDiv(most, owners.size());
      for (byte[] record : RecordSampler.sample(owner, now, share, !all)) {
        sampled++;
        List<RuleVerdict> verdicts = RuleVerdicts.of(state, record);
        DocumentKey key = DocumentKey.of(state.spec(), RecordFormat.document(record));
        for (RuleVerdict verdict : verdicts) {
          if (verdict.never().isPresent()) {
            byRule.computeIfAbsent(verdict, _ -> new Tally()).add(key);
          }
        }
        if (verdicts.stream().allMatch(verdict -> verdict.never().isPresent())) {
          never.computeIfAbsent(verdicts.getFirst(), _ -> new Tally()).add(key);
        }
      }
    }
    return new NeverExpiring(sampled, all && sampled == documents, causes(never), causes(byRule));
  }

  /** Number of documents and some of their keys. */
  private static final class Tally {
    private final List<DocumentKey> keys = new ArrayList<>();
    private long documents;

    void add(DocumentKey key) {
      documents++;
      if (keys.size() < NeverExpiring.EXAMPLES) {
        keys.add(key);
      }
    }
  }

  /** The most frequent first. */
  private static List<Cause> causes(Map<RuleVerdict, Tally> tallies) {
    List<Cause> causes = new ArrayList<>();
    tallies.forEach(
        (verdict, tally) -> causes.add(new Cause(verdict, tally.documents, tally.keys)));
    causes.sort(Comparator.comparingLong(Cause::documents).reversed());
    return causes;
  }
}

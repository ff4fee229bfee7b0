package dev.mayfly.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.ClockLimits;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.NewLife;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.engine.Forecast.Series.Spans;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * One random history: the same steps on a collection and on its model.
 *
 * <p>Each step has its own {@link Random}, seeded with the seed of the history and its number, so
 * that a history can be replayed without some of its steps.
 */
final class ModelHistory implements AutoCloseable {
  private static final long START = 1_700_000_000_250L;
  private static final long NO_VERSION = 1L << 40;
  private static final long LONGEST_READ = 600_000;
  private static final List<ModelIndex> INDEXES =
      List.of(
          index("at_1", false, false, "", "at"),
          index("box_1", false, false, "", "box.when"),
          index("red_1", false, false, "red", "at"),
          index("colour_1", false, false, "", "colour"),
          index("n_1", false, true, "", "n"),
          index("colour_n", false, false, "", "colour", "n"),
          index("u_1", true, false, "", "u"),
          index("u_sparse", true, true, "", "u"),
          index("u_red", true, false, "red", "u"));

  private final long seed;
  private final ModelStores kind;
  private final Path directory;

  /** The time without unconfirmed leaps. */
  private final ManualClock clock = new ManualClock(START);

  private final List<String> trace = new ArrayList<>();
  private final Dialect dialect;
  private final int shards;
  private final int slice;
  private final boolean slidingHistory;
  private final boolean touchingHistory;
  private final int retiredLanes;
  private final Model model;
  private final ModelChecks checks;
  private final ArchiveChecks archive;
  private final ExpiryChecks expiryChecks;
  private final Random promises;
  private final Random disk;

  /** The store, if its cache is simulated. */
  private Optional<HookedStore> hooked = Optional.empty();

  private Store store;
  private LocalEngine engine;
  private LocalCollection collection;
  private Namespace name = new Namespace("model", "test");
  private boolean paused;
  private boolean caughtUp;
  private boolean dropInCompaction;
  private Optional<Held> held = Optional.empty();
  private final int flushPercent;
  private final int reclaimBytes;
  private Map<Integer, Long> synced = Map.of();
  private boolean mustSurvive;

  /** The error of the wall clock, its error when it was confirmed, and the time of that. */
  private long leap;

  private long jumps;
  private long frozen = START;

  /**
   * An open cursor, and the documents that it must return.
   *
   * @param settled the time of deletions when it was opened
   */
  private record Held(
      QueryCursor cursor, long since, long settled, Map<ModelKey, StoredDocument> expected) {}

  ModelHistory(ModelStores kind, Path directory, long seed) {
    this.seed = seed;
    this.kind = kind;
    this.directory = directory;
    Random random = new Random(mix(seed));
    this.dialect = random.nextBoolean() ? Dialect.MONGO : Dialect.COSMOS;
    ModelDraw draw = new ModelDraw(random, dialect, START);
    this.shards = draw.chance(30) ? 3 : 1;
    this.slice = draw.oneOf(List.of(1, 4, 20, 2000));
    this.model = new Model(dialect);
    this.archive =
        new ArchiveChecks(
            directory.resolveSibling(directory.getFileName() + "-archive"),
            new Random(mix(seed + 4)));
    this.checks = new ModelChecks(model, archive, dialect, ModelDraw.keys(dialect, START));
    this.expiryChecks = new ExpiryChecks(model, ModelDraw.keys(dialect, START));
    this.retiredLanes = new Random(mix(seed + 3)).nextInt(4) == 0 ? 8 : 1;
    this.slidingHistory = new Random(mix(seed + 4)).nextInt(3) > 0;
    this.touchingHistory = !kind.faulty() && new Random(mix(seed + 10)).nextInt(2) == 1;
    this.promises = new Random(mix(seed + 1));
    this.disk = new Random(mix(seed + 2));
    this.flushPercent = List.of(0, 0, 10, 60).get(disk.nextInt(4));
    this.reclaimBytes = kind.faulty() && disk.nextBoolean() ? 1 << 20 : 1;
    this.store = openStore();
    this.dropInCompaction = kind.dropInCompaction();
    this.engine = openEngine();
    this.collection = create(draw);
  }

  private static ModelIndex index(
      String name, boolean unique, boolean sparse, String onlyColour, String... paths) {
    return new ModelIndex(name, List.of(paths), unique, sparse, false, onlyColour, 0, true);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }

  private Store openStore() {
    Store opened = kind.open(directory);
    if (kind.onDisk()) {
      return opened;
    }
    HookedStore hookable = new HookedStore(opened);
    if (kind.faulty()) {
      hookable.simulateDisk(() -> disk.nextInt(100) < flushPercent);
    }
    hooked = Optional.of(hookable);
    return hookable;
  }

  private LocalEngine openEngine() {
    EngineSettings settings =
        EngineSettings.standard(() -> (clock.now() - jumps) * 1_000_000)
            .withBackground(false)
            .withClock(new ClockLimits(300_000, 1L << 50))
            .withDropInCompaction(dropInCompaction)
            .withSlice(slice)
            .withRetiredLanes(retiredLanes)
            .withArchive(archive.settings())
            .withReclaimBytes(reclaimBytes);
    Clock wall = kind.leaps() ? () -> clock.now() + leap : clock;
    LocalEngine opened = LocalEngine.open(store, wall, settings);
    frozen = clock.now();
    if (paused) {
      opened.pauseSweep();
    }
    return opened;
  }

  private LocalCollection create(ModelDraw draw) {
    CollectionSpec spec =
        dialect == Dialect.MONGO ? CollectionSpec.mongo() : CollectionSpec.cosmos("p");
    long retention = draw.oneOf(List.of(5_000L, 30_000L, 86_400_000L));
    spec =
        spec.withShards(shards)
            .withFeed(
                new FeedSpec(draw.oneOf(List.of(ChangeImageMode.values())), retention, 1L << 30));
    if (dialect == Dialect.COSMOS && draw.chance(20)) {
      spec = spec.withIndexing(IndexingMode.LAZY);
    }
    if (shards == 1 && draw.chance(15)) {
      spec = draw.chance(50) ? spec.withCap(0, 5) : spec.withCap(700, 0);
      model.cap(spec.cap().bytes(), spec.cap().documents());
    } else if (shards == 1 && draw.chance(25)) {
      spec = draw.chance(50) ? spec.withLimits(0, 5) : spec.withLimits(700, 0);
      model.bounded(spec);
    }
    note(
        dialect
            + ", "
            + shards
            + " shard(s), slice "
            + slice
            + ", "
            + spec.feed()
            + ", "
            + spec.indexing()
            + (spec.capped() || spec.bounded()
                ? (spec.capped() ? ", capped " : ", bounded ")
                    + spec.cap().bytes()
                    + " "
                    + spec.cap().documents()
                : ""));
    LocalCollection created = engine.create(name, archive.applyTo(spec));
    model.alter(spec.timeToLive(), Map.of(), START);
    return created;
  }

  private void note(String line) {
    trace.add(line);
  }

  /** The steps so far, one line each. */
  List<String> trace() {
    return trace;
  }

  int indexScans() {
    return checks.indexScans();
  }

  /** The time of reads and writes: the later one during a leap. */
  private long now() {
    return clock.now() + Math.max(leap, 0);
  }

  /** The time of deletions: the earlier one during a leap. */
  private long settled() {
    return leap < 0 ? Math.max(frozen, clock.now() + leap) : clock.now();
  }

  // ---- steps

  /** Runs one step and checks everything that it may have changed. */
  void step(int number) {
    ModelDraw draw = new ModelDraw(new Random(mix(seed * 1_000_003 + number)), dialect, START);
    int what = draw.below(100);
    model.readers(horizon());
    note("#" + number + " at +" + (now() - START) + " ms: ");
    if (kind.leaps()) {
      moveWallClock(new ModelDraw(new Random(mix(seed * 31 + number)), dialect, START));
    }
    if (kind.faulty()) {
      stepOnFaultyDisk(
          draw, what, new ModelDraw(new Random(mix(seed * 31 + number)), dialect, START));
    } else if (!touchMany(number)) {
      step(draw, what);
    }
    check(draw);
  }

  private void step(ModelDraw draw, int what) {
    if (what < 12 && touches()) {
      touch(draw);
    } else if (what < 40) {
      write(draw);
    } else if (what < 55) {
      moveClock(draw);
    } else if (what < 70) {
      work(draw);
    } else if (what < 80) {
      changeRules(draw);
    } else if (what < 84) {
      changeGrace(draw);
    } else if (what < 88) {
      undo();
    } else if (what < 93) {
      changeIndexes(draw);
    } else {
      disturb(draw);
    }
  }

  /** Returns whether the rules slide: not if touches may be lost, or the clock goes back. */
  private boolean touches() {
    return !kind.faulty() && !kind.leaps() && !model.declared().sliding().isEmpty();
  }

  /** Reads some documents: their lives start again. */
  private void touch(ModelDraw draw) {
    boolean all = draw.chance(20);
    describe("touch ");
    for (ModelKey key : ModelDraw.keys(dialect, START)) {
      if (all || draw.chance(30)) {
        Optional<StoredDocument> expected =
            model.live(key, now()).map(one -> one.stored(model.rules()));
        describe(expected.isPresent() ? key + " " : "");
        assertThat(readSomehow(key, draw)).as("touch of %s", key).isEqualTo(expected);
        model.touch(key, now());
      }
    }
    if (collection.spec().bounded()) {
      // the order of evictions is that of persisted touches
      collection.owners().forEach(owner -> owner.sliding().persistDueAt(Deadline.NEVER));
    }
  }

  private Optional<StoredDocument> readSomehow(ModelKey key, ModelDraw draw) {
    if (draw.chance(50)) {
      PendingCommit pending = new PendingCommit();
      try {
        return collection.read(OperationContext.begin(engine::now, pending), key.documentKey());
      } catch (WouldBlock later) {
        describe("(later) ");
      }
    }
    return collection.read(key.documentKey());
  }

  /** Sometimes gives documents of a filter other deadlines instead of a step. */
  private boolean touchMany(int number) {
    ModelDraw draw = new ModelDraw(new Random(mix(seed * 37 + number)), dialect, START);
    boolean may =
        touchingHistory
            && !model.capped()
            && !model.declared().strict()
            && collection.spec().indexing() != IndexingMode.LAZY
            && model.indexes().values().stream().allMatch(ModelIndex::ready);
    if (!may || !draw.chance(10)) {
      return false;
    }
    NewLife life =
        switch (draw.below(3)) {
          case 0 -> new NewLife.Restarted();
          case 1 -> new NewLife.Until(now() + 1 + draw.below(20_000));
          default -> new NewLife.Extended(1 + draw.below(20_000));
        };
    List<ModelTouches> rules =
        ModelTouches.rules(model.declared(), model.indexes(), life).stream()
            .filter(rule -> rule.isAllowed(model.declared()))
            .toList();
    if (rules.isEmpty()) {
      return false;
    }
    touchMany(draw.oneOf(rules), draw.chance(30) ? "" : draw.colourName());
    return true;
  }

  /**
   * Touches documents by a filter.
   *
   * @param colour of the documents; empty for all
   */
  private void touchMany(ModelTouches touch, String colour) {
    describe("touch " + (colour.isEmpty() ? "all" : colour) + " by " + touch);
    caughtUp = false;
    List<ModelDocument> matching =
        model.live(now()).values().stream()
            .filter(
                one ->
                    colour.isEmpty() || ModelDocument.ends(one.fields(), "colour").contains(colour))
            .toList();
    Map<ModelKey, ModelWrite> writes = new HashMap<>();
    for (ModelDocument document : matching) {
      touch
          .apply(document, now())
          .ifPresent(
              fields ->
                  writes.put(
                      document.key(),
                      new ModelWrite(
                          ModelWrite.Kind.TOUCH, document.key(), fields, Write.ANY_VERSION)));
    }
    Filter filter =
        colour.isEmpty() ? Filter.all() : Filter.equal(FieldPath.of("colour"), Value.of(colour));
    Touched touched =
        collection
            .expiry()
            .touch(
                Query.of(filter, dialect.mode()),
                Touch.of(touch.life()).byRule(touch.rule()),
                () -> false);
    assertThat(touched.complete()).isTrue();
    assertThat(touched.matched()).as("matched").isEqualTo(matching.size());
    assertThat(touched.touched()).as("touched").isEqualTo(writes.size());
    touched(writes);
  }

  /** Applies touches to the model, in the order of the versions that the engine has given them. */
  private void touched(Map<ModelKey, ModelWrite> writes) {
    Map<Long, ModelWrite> byVersion = new TreeMap<>();
    for (ModelWrite write : writes.values()) {
      Life life = collection.expiry().explain(List.of(write.key().documentKey())).getFirst();
      byVersion.put(life.version(), write);
    }
    List<WriteOutcome> outcomes = new ArrayList<>();
    byVersion.forEach(
        (version, write) -> {
          Document after = ModelDocument.encode(write.fields());
          outcomes.add(
              new WriteOutcome.Updated(
                  after, new StoredDocument(after, version, 0, now(), Deadline.NEVER)));
        });
    model.building(false);
    model.write(List.copyOf(byVersion.values()), Grouping.UNORDERED, outcomes, now());
  }

  /** Sometimes lets a rule slide, or no longer slide. */
  private TimeToLive sliding(ModelDraw draw, TimeToLive rules) {
    boolean may =
        !kind.faulty() && !kind.leaps() && collection.spec().indexing() != IndexingMode.LAZY;
    if (!may || !slidingHistory) {
      return rules;
    }
    TimeToLive changed = rules;
    List<String> names = new ArrayList<>();
    if (rules.hasDefault()) {
      names.add(TimeToLive.PROPERTY_RULE);
    }
    if (rules.idSeconds() > 0) {
      names.add(TimeToLive.ID_RULE);
    }
    rules
        .indexes()
        .forEach(
            (name, seconds) -> {
              if (seconds > 0) {
                names.add(TimeToLive.INDEX_RULE + name);
              }
            });
    for (String rule : new java.util.TreeSet<>(names)) {
      if (draw.chance(40)) {
        changed =
            changed.withSliding(
                rule,
                draw.chance(75)
                    ? Optional.of(new TimeToLive.Sliding(draw.below(4), false))
                    : Optional.empty());
      }
    }
    return changed;
  }

  // ---- leaps of the wall clock

  private void moveWallClock(ModelDraw draw) {
    if (!draw.chance(10)) {
      return;
    }
    if (leap == 0) {
      leap = draw.oneOf(List.of(301_000L, 3_600_000L, 31_536_000_000L, -301_000L, -3_600_000L));
      frozen = clock.now();
      describe("(clock leaps by " + leap + ") ");
    } else if (leap > 0 && draw.chance(40)) {
      describe("(clock is confirmed) ");
      engine.confirmClock();
      clock.advance(Duration.ofMillis(leap));
      jumps += leap;
      leap = 0;
    } else {
      describe("(clock leaps back) ");
      leap = 0;
    }
    assertThat(engine.now()).isEqualTo(now());
    assertThat(engine.alarms().count(Alarm.Kind.CLOCK)).isEqualTo(leap == 0 ? 0 : 1);
    model.readers(horizon());
  }

  // ---- faults

  private Faults faults() {
    return hooked.orElseThrow().faults();
  }

  private boolean failed() {
    return kind.faulty() && faults().met();
  }

  /** Runs a step with a failing call or a power failure. */
  private void stepOnFaultyDisk(ModelDraw draw, int what, ModelDraw faulty) {
    faults().arm(Faults.Kind.IO, 0, 0);
    if (faulty.chance(20)) {
      Faults.Kind fault = faulty.oneOf(List.of(Faults.Kind.values()));
      int after = faulty.below(fault == Faults.Kind.IO ? 40 : 3);
      faults().arm(fault, after, faulty.oneOf(List.of(1, 1, 3, Integer.MAX_VALUE)));
    }
    try {
      step(draw, what);
    } catch (StoreException | EngineException | OutOfMemoryError failure) {
      describe(" failed: " + failure);
      assertThat(faults().met()).as("%s", failure).isTrue();
    }
    faults().disarm();
    if (failed()) {
      checks.locksAreFree(collection);
      learn();
    }
    feed(_ -> false);
    if (mustSurvive) {
      synced = checks.positions();
      mustSurvive = false;
    }
    boolean compacted = faulty.chance(10);
    if (compacted) {
      compact();
    }
    if (faulty.chance(compacted ? 50 : 4)) {
      losePower();
    }
  }

  private void feed(Predicate<ModelDocument> mayEnd) {
    checks.feed(collection, now(), settled(), mayEnd);
  }

  /** Applies the results of background work to the model. */
  private void learn() {
    feed(
        document ->
            model.inTheWay(document, settled())
                || (!paused && model.sweepable(document, settled(), sweepInstant())));
    noteBuilds();
  }

  /** Truncates the log to its flushed part and restarts. */
  private void losePower() {
    describe(", power lost");
    held.ifPresent(one -> one.cursor().close());
    held = Optional.empty();
    HookedStore after = hooked.orElseThrow().powerLoss();
    engine.close();
    hooked = Optional.of(after);
    store = after;
    engine = openEngine();
    collection = engine.collection(name);
    caughtUp = false;
    checks.powerLost(collection, synced);
  }

  private void describe(String what) {
    trace.set(trace.size() - 1, trace.getLast() + what);
  }

  private void check(ModelDraw draw) {
    feed(_ -> false);
    if (trace.size() % 2 == 0) {
      // without a read before, which would persist touches
      checks.usage(collection, now());
    }
    checks.pointReads(collection, now());
    checks.usage(collection, now());
    checks.uniqueKeys();
    archive.check(collection);
    if (draw.chance(40)) {
      checks.queries(collection, draw, now(), caughtUp);
    }
    if (draw.chance(20)) {
      probe(draw);
    }
    if (draw.chance(40)) {
      for (long ahead : List.of(0L, 1L + draw.below(5000), 20_000L, 1L << 42)) {
        checks.forecast(collection, now() + ahead, now());
      }
      whatIf(draw);
      explain(draw);
    }
    if (draw.chance(5)) {
      checks.wholeFeed(collection);
    }
  }

  private void write(ModelDraw draw) {
    List<ModelWrite> writes = new ArrayList<>();
    int count = draw.chance(70) ? 1 : 2 + draw.below(4);
    Grouping grouping = draw.oneOf(List.of(Grouping.values()));
    boolean oneShard = grouping == Grouping.ATOMIC && shards > 1;
    boolean unsure =
        model.indexes().values().stream().anyMatch(index -> index.unique() && !index.ready());
    boolean inParts = kind.faulty() && shards > 1 && !oneShard;
    if (unsure || inParts || (oneShard && dialect == Dialect.MONGO)) {
      count = 1;
    }
    String partition = draw.key().partition();
    for (int i = 0; i < count; i++) {
      writes.add(write(draw, oneShard ? draw.key(partition) : draw.key()));
    }
    write(writes, grouping);
  }

  private ModelWrite write(ModelDraw draw, ModelKey key) {
    ModelWrite.Kind what =
        draw.chance(30) ? ModelWrite.Kind.INSERT : draw.oneOf(ModelWrite.Kind.SINGLE);
    long guard =
        draw.chance(75)
            ? Write.ANY_VERSION
            : draw.chance(70)
                ? model.find(key).map(ModelDocument::version).orElse(NO_VERSION)
                : NO_VERSION;
    Map<String, Object> fields = draw.fields(key, now());
    if (what == ModelWrite.Kind.UPDATE) {
      fields = updated(draw, key, fields);
    }
    return new ModelWrite(what, key, what == ModelWrite.Kind.DELETE ? Map.of() : fields, guard);
  }

  /** Returns a mostly changed, sometimes equal document, rarely with another id. */
  private Map<String, Object> updated(ModelDraw draw, ModelKey key, Map<String, Object> fresh) {
    Map<String, Object> fields =
        new LinkedHashMap<>(model.find(key).map(ModelDocument::fields).orElse(fresh));
    if (draw.chance(5)) {
      return draw.fields(draw.key(), now());
    }
    fresh.forEach(
        (name, value) -> {
          boolean part = !name.equals("_id") && !name.equals("id") && !name.equals("p");
          if (part && draw.chance(30)) {
            fields.put(name, value);
          }
        });
    return fields;
  }

  /**
   * Tests whether a document could be inserted, with a group that always fails: a unique key is
   * taken exactly if a live document holds it.
   */
  private void probe(ModelDraw draw) {
    ModelKey key = draw.key();
    ModelKey other = draw.key(key.partition());
    if (model.live(other, now()).isPresent() || other.equals(key)) {
      return;
    }
    if (shards > 1 && dialect == Dialect.MONGO) {
      return;
    }
    List<ModelWrite> writes =
        List.of(
            new ModelWrite(ModelWrite.Kind.INSERT, key, draw.fields(key, now()), Write.ANY_VERSION),
            new ModelWrite(ModelWrite.Kind.DELETE, other, Map.of(), Write.ANY_VERSION));
    note("   probe ");
    write(writes, Grouping.ATOMIC);
    feed(_ -> false);
  }

  private void write(List<ModelWrite> writes, Grouping grouping) {
    caughtUp = false;
    describe((writes.size() == 1 ? "" : grouping + " ") + writes);
    List<WriteOutcome> told = told(writes.stream().map(ModelWrite::write).toList(), grouping);
    Map<ModelKey, ModelDocument> before = model.live(now());
    model.building(!collection.builds().isEmpty());
    List<String> became = model.write(writes, grouping, told, now());
    describe(" -> " + told.stream().map(Model::told).toList());
    assertThat(told.stream().map(Model::told).toList()).isEqualTo(became);
    if (writes.size() == 1 && told.getFirst() instanceof WriteOutcome.Updated(var was, _)) {
      ModelDocument old = before.get(writes.getFirst().key());
      assertThat(old).isNotNull();
      assertThat(was).isEqualTo(java.util.Objects.requireNonNull(old).document());
    }
  }

  /** Runs writes: some deferred, if possible, and the others blocking. */
  private List<WriteOutcome> told(List<Write> writes, Grouping grouping) {
    if (promises.nextBoolean()) {
      PendingCommit pending = new PendingCommit();
      hooked.ifPresent(one -> one.cachedReads(promises.nextInt(6)));
      try {
        WriteResult reply = collection.writeDeferred(writes, Durability.LOGGED, null, pending);
        pending.await();
        return reply.outcomes();
      } catch (WouldBlock later) {
        describe(" (later)");
      }
    }
    boolean sync = kind.faulty() && disk.nextInt(100) < 10;
    Durability durability = sync ? Durability.SYNCED : Durability.LOGGED;
    List<WriteOutcome> outcomes = collection.write(writes, grouping, durability).outcomes();
    mustSurvive |= sync && shards == 1 && outcomes.stream().anyMatch(ModelHistory::changes);
    return outcomes;
  }

  private static boolean changes(WriteOutcome outcome) {
    return outcome instanceof WriteOutcome.Inserted
        || outcome instanceof WriteOutcome.Updated
        || outcome instanceof WriteOutcome.Deleted;
  }

  private void moveClock(ModelDraw draw) {
    List<Long> deadlines =
        model.documents().stream()
            .map(document -> model.rules().deadline(document))
            .filter(deadline -> deadline > now() && deadline < now() + 3_600_000)
            .toList();
    long to =
        switch (draw.below(10)) {
          case 0, 1 -> now() + draw.below(1500);
          case 2 -> now() + 5000 + draw.below(20_000);
          case 3 -> now() + 60_000;
          case 4 -> now() + 1;
          default -> deadlines.isEmpty() ? now() + 1000 : draw.oneOf(deadlines) - draw.below(2);
        };
    describe("clock to +" + (to - START) + " ms");
    clock.advance(Duration.ofMillis(Math.max(to - now(), 0)));
    model.readers(horizon());
  }

  private void work(ModelDraw draw) {
    boolean all = draw.chance(40);
    int rounds = 1 + draw.below(4);
    describe(all ? "work until idle" : rounds + " rounds of work");
    long before = engine.sweepStats().documents();
    if (all) {
      workUntilIdle();
    } else {
      for (int i = 0; i < rounds; i++) {
        round();
      }
    }
    describe(", swept " + (engine.sweepStats().documents() - before));
  }

  private void workUntilIdle() {
    int most = 10_000;
    while (round()) {
      assertThat(most--).as("rounds of work").isPositive();
    }
    if (failed()) {
      return;
    }
    if (!paused) {
      checks.nothingLeft(settled(), sweepInstant());
      if (held.isEmpty()) {
        assertThat(engine.sweepStats().lagMillis()).as("lag").isZero();
      }
    }
    if (!kind.leaps()) {
      checks.trimmed(collection, settled());
    }
    if (engine.clockLeap().isEmpty()) {
      archive.checkComplete(collection);
    }
    caughtUp = true;
  }

  /** Runs one round of background work: the sweep reports expiries, and builds finish. */
  private boolean round() {
    boolean more = engine.work();
    learn();
    return more;
  }

  private long horizon() {
    return held.map(one -> Math.max(one.settled(), settled() - LONGEST_READ)).orElse(settled());
  }

  private long sweepInstant() {
    return Math.min(horizon(), settled()) - model.declared().graceMillis();
  }

  /** Applies finished and failed builds to the model. */
  private void noteBuilds() {
    List<String> building = building();
    for (ModelIndex index : List.copyOf(model.indexes().values())) {
      boolean there =
          collection.spec().indexes().stream().anyMatch(spec -> spec.name().equals(index.name()));
      if (!there) {
        describe(", gave up " + index.name());
        assertThat(model.conflict(index, settled())).as("%s cannot be built", index).isTrue();
        Map<String, ModelIndex> rest = new TreeMap<>(model.indexes());
        rest.remove(index.name());
        model.alter(model.declared().withIndex(index.name(), TimeToLive.OFF), rest, settled());
      } else if (!index.ready() && !building.contains(index.name())) {
        describe(", built " + index.name());
        model.built(index.name(), settled());
      }
    }
  }

  /** Applies rebuilds of indexes to the model. */
  private void noteUnready() {
    alter(model.declared(), model.indexes());
  }

  private List<String> building() {
    return collection.builds().stream().map(BuildProgress::what).toList();
  }

  // ---- rules and indexes

  private void changeRules(ModelDraw draw) {
    TimeToLive next = proposal(draw, model.declared());
    if (draw.chance(20)) {
      next = proposal(draw, next);
    }
    changeRules(draw, next);
  }

  private void changeRules(ModelDraw draw, TimeToLive next) {
    describe("rules " + next);
    Usage expired = checks.expiredBy(Model.rulesOf(next, model.indexes(), false), settled());
    if (expired.documents() > 0 && !kind.faulty() && leap == 0 && draw.chance(20)) {
      describe(" refused");
      assertThatThrownBy(
              () ->
                  collection.expiry().alter(change(next, model.indexes()), expired.documents() - 1))
          .isInstanceOfSatisfying(
              EngineException.class,
              refused -> assertThat(refused.number()).isEqualTo(expired.documents()));
      return;
    }
    alter(next, model.indexes());
  }

  private TimeToLive proposal(ModelDraw draw, TimeToLive now) {
    return sliding(draw, drawn(draw, now));
  }

  private TimeToLive drawn(ModelDraw draw, TimeToLive now) {
    int most = dialect == Dialect.MONGO ? 10 : 6;
    return switch (draw.below(most)) {
      case 0 -> now.withProperty("").withDefault(TimeToLive.OFF);
      case 1 -> now.withDefault(TimeToLive.NEVER);
      case 2, 3 -> now.withDefault(draw.seconds());
      case 4 -> now.hasDefault() ? property(draw, now) : now;
      case 5 -> now.withStrict(!now.strict());
      case 6 ->
          now.withSliding(TimeToLive.ID_RULE, Optional.empty())
              .withId(draw.chance(40) ? TimeToLive.OFF : draw.seconds() - 1)
              .withIdFormat(draw.format(TimeFormat.DATE));
      default -> indexRule(draw, now);
    };
  }

  private static TimeToLive property(ModelDraw draw, TimeToLive now) {
    return now.property().isEmpty()
        ? now.withProperty("base").withPropertyFormat(draw.format(TimeFormat.SECONDS))
        : draw.chance(50)
            ? now.withPropertyFormat(draw.format(TimeFormat.SECONDS))
            : now.withProperty("");
  }

  private TimeToLive indexRule(ModelDraw draw, TimeToLive now) {
    List<String> names =
        model.indexes().values().stream()
            .filter(index -> index.paths().size() == 1)
            .map(ModelIndex::name)
            .toList();
    if (names.isEmpty()) {
      return now.withDefault(draw.seconds());
    }
    String name = draw.oneOf(names);
    return now.withSliding(TimeToLive.INDEX_RULE + name, Optional.empty())
        .withIndex(name, draw.chance(30) ? TimeToLive.OFF : draw.seconds() - 1)
        .withIndexFormat(name, draw.format(TimeFormat.DATE));
  }

  private void alter(TimeToLive next, Map<String, ModelIndex> indexes) {
    collection.alter(change(next, indexes));
    Map<String, ModelIndex> named = new TreeMap<>();
    List<String> building = building();
    indexes.forEach((name, index) -> named.put(name, index.withReady(!building.contains(name))));
    model.alter(next, named, settled());
  }

  private UnaryOperator<CollectionSpec> change(TimeToLive next, Map<String, ModelIndex> indexes) {
    return spec ->
        spec.withTimeToLive(TimeToLive.NONE)
            .withIndexes(indexes.values().stream().map(index -> index.spec(dialect)).toList())
            .withTimeToLive(next);
  }

  private void changeGrace(ModelDraw draw) {
    long grace = draw.oneOf(List.of(0L, 0L, 1000L, 10_000L, 60_000L, 600_000L));
    describe("grace " + grace);
    alter(model.declared().withGrace(grace), model.indexes());
  }

  private void undo() {
    describe("undo");
    if (model.canUndo(settled())) {
      undoLastChange();
      model.undo();
      assertThat(collection.spec().timeToLive()).isEqualTo(model.declared());
    } else {
      describe(" (nothing)");
      assertThatThrownBy(this::undoLastChange)
          .isInstanceOfSatisfying(
              EngineException.class,
              refused ->
                  assertThat(refused.reason()).isEqualTo(EngineException.Reason.NOTHING_TO_UNDO));
    }
  }

  /** Undoes the last rule change. */
  private void undoLastChange() {
    engine.registry().replace(collection, Alteration::undone);
  }

  private void changeIndexes(ModelDraw draw) {
    Map<String, ModelIndex> indexes = new TreeMap<>(model.indexes());
    TimeToLive next = model.declared();
    ModelIndex drawn = draw.oneOf(INDEXES);
    boolean fits =
        (dialect == Dialect.MONGO || !drawn.paths().contains("box.when"))
            && (shards == 1 || dialect == Dialect.COSMOS || !drawn.unique());
    if (indexes.containsKey(drawn.name())) {
      if (drawn.name().equals("at_1") && draw.chance(30)) {
        boolean byAt = java.util.Objects.requireNonNull(indexes.get("at_1")).paths().contains("at");
        String path = byAt ? "box.when" : "at";
        describe("let at_1 be an index of " + path);
        indexes.put("at_1", generation(index("at_1", false, false, "", path)));
      } else if (draw.chance(20)) {
        describe("hide or show " + drawn.name());
        indexes.computeIfPresent(drawn.name(), (_, index) -> index.withHidden(!index.hidden()));
      } else {
        describe("drop " + drawn.name());
        indexes.remove(drawn.name());
        next = next.withIndex(drawn.name(), TimeToLive.OFF);
      }
    } else if (fits) {
      indexes.put(drawn.name(), generation(drawn));
      if (dialect == Dialect.MONGO && drawn.paths().size() == 1 && draw.chance(50)) {
        next =
            next.withIndex(drawn.name(), draw.seconds() - 1)
                .withIndexFormat(drawn.name(), draw.format(TimeFormat.DATE));
      }
      describe("add " + drawn.name() + " " + next);
    }
    alter(next, indexes);
  }

  private ModelIndex generation(ModelIndex index) {
    return new ModelIndex(
        index.name(),
        index.paths(),
        index.unique(),
        index.sparse(),
        false,
        index.onlyColour(),
        model.nextGeneration(index.name()),
        false);
  }

  private void whatIf(ModelDraw draw) {
    TimeToLive next = proposal(draw, model.declared());
    ModelRules proposed = Model.rulesOf(next, model.indexes(), false);
    assertThat(collection.expiry().whatIf(change(next, model.indexes())))
        .as("what if %s", next)
        .isEqualTo(checks.expiredBy(proposed, now()));
  }

  private void explain(ModelDraw draw) {
    expiryChecks.explain(collection, now());
    int page = 1 + draw.below(6);
    expiryChecks.soonest(collection, page, now());
    expiryChecks.warnings(collection, page, now(), settled());
    Spans spans = new Spans(draw.chance(30) ? 1L << 30 : 1L + draw.below(5000), 1 + draw.below(30));
    int stops = draw.chance(30) ? draw.below(20) : Integer.MAX_VALUE;
    expiryChecks.forecast(collection, spans, stops, now());
    expiryChecks.neverExpiring(collection, now());
    TimeToLive next = proposal(draw, model.declared());
    ModelRules proposed = Model.rulesOf(next, model.indexes(), false);
    int most = draw.below(5);
    expiryChecks.whatIf(
        collection.expiry().whatIf(change(next, model.indexes()), most), proposed, most, now());
    expiryChecks.series(
        collection.expiry().forecast(change(next, model.indexes()), spans, () -> false),
        proposed,
        spans,
        Integer.MAX_VALUE,
        now());
  }

  // ---- what must make no difference

  private void disturb(ModelDraw draw) {
    switch (draw.below(8)) {
      case 0 -> restart(draw);
      case 1 -> {
        paused = !paused;
        describe(paused ? "pause the sweep" : "resume the sweep");
        if (paused) {
          engine.pauseSweep();
        } else {
          engine.resumeSweep();
        }
      }
      case 2 -> {
        ChangeImageMode images = draw.oneOf(List.of(ChangeImageMode.values()));
        describe("images " + images);
        collection.alter(
            spec ->
                spec.withFeed(
                    new FeedSpec(images, spec.feed().retentionMillis(), spec.feed().maxBytes())));
      }
      case 3 -> rename();
      case 6 -> {
        IndexingMode mode =
            dialect == Dialect.COSMOS && draw.chance(50)
                ? IndexingMode.LAZY
                : IndexingMode.CONSISTENT;
        describe("indexing " + mode);
        if (mode == IndexingMode.LAZY && !model.declared().sliding().isEmpty()) {
          describe(" (not with sliding rules)");
          return;
        }
        caughtUp &= mode == collection.spec().indexing();
        collection.alter(spec -> spec.withIndexing(mode));
        noteUnready();
      }
      case 4, 5 -> {
        if (held.isEmpty()) {
          hold();
        } else {
          drain();
        }
      }
      default -> compact();
    }
  }

  private void compact() {
    describe(" compact");
    for (int shard = 0; shard <= shards; shard++) {
      for (Space space : Space.values()) {
        store.reclaim(shard, space);
      }
    }
  }

  private void rename() {
    Namespace other = new Namespace("model", name.collection() + "x");
    describe("rename to " + other);
    engine.rename(name, other, false);
    name = other;
  }

  /** Opens a cursor and leaves it open, on stores with snapshots. */
  private void hold() {
    if (!kind.snapshots()) {
      return;
    }
    describe("open a cursor");
    Map<ModelKey, StoredDocument> expected = new HashMap<>();
    model.live(now()).forEach((key, document) -> expected.put(key, document.stored(model.rules())));
    held =
        Optional.of(
            new Held(
                collection.query(Query.of(Filter.all(), dialect.mode())),
                now(),
                settled(),
                expected));
  }

  /** Reads from the open cursor: it must return documents that were live when it was opened. */
  private void drain() {
    Held one = held.orElseThrow();
    held = Optional.empty();
    describe("read the cursor of +" + (one.since() - START));
    try (QueryCursor cursor = one.cursor()) {
      if (one.settled() > settled() - LONGEST_READ) {
        ModelChecks.same("held cursor", checks.all(cursor), one.expected());
      }
    }
  }

  private void restart(ModelDraw draw) {
    boolean whole = kind.onDisk() && draw.chance(50);
    describe(whole ? "restart the store" : "restart");
    held.ifPresent(one -> one.cursor().close());
    held = Optional.empty();
    dropInCompaction = draw.chance(80) ? kind.dropInCompaction() : !kind.dropInCompaction();
    engine.close();
    if (whole) {
      store.close();
      store = openStore();
    }
    try {
      engine = openEngine();
    } catch (StoreException | OutOfMemoryError failure) {
      assertThat(failed()).as("%s", failure).isTrue();
      describe(" failed and tried again");
      faults().disarm();
      engine = openEngine();
    }
    collection = engine.collection(name);
  }

  /** Expires everything, finishes the sweep, and checks again. */
  void finish() {
    note("finish: ");
    leap = 0;
    if (held.isPresent()) {
      drain();
    }
    if (paused) {
      paused = false;
      engine.resumeSweep();
    }
    workUntilIdle();
    Optional<Long> last =
        model.documents().stream()
            .map(document -> model.rules().deadline(document))
            .filter(deadline -> deadline != Deadline.NEVER && deadline < START + (1L << 41))
            .max(Long::compare);
    long to = Math.max(last.orElse(now()), now()) + model.declared().graceMillis();
    describe("clock to +" + (to - START));
    clock.advance(Duration.ofMillis(to - now()));
    workUntilIdle();
    checks.pointReads(collection, now());
    checks.usage(collection, now());
  }

  @Override
  public void close() {
    held.ifPresent(one -> one.cursor().close());
    engine.close();
    store.close();
  }
}

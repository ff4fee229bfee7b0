package dev.mayfly.engine.local;

import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.CheckReport;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.catalog.ChangeTime;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.catalog.Sequence;
import dev.mayfly.engine.read.DeadChildren;
import dev.mayfly.engine.read.IndexSampler;
import dev.mayfly.engine.read.IndexStatistics;
import dev.mayfly.engine.read.InlineQueries;
import dev.mayfly.engine.read.Plan;
import dev.mayfly.engine.read.Planner;
import dev.mayfly.engine.read.Position;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.engine.read.ResumePoint;
import dev.mayfly.engine.read.ShardFeedReader;
import dev.mayfly.engine.read.ShardScan;
import dev.mayfly.engine.shard.OpenReads;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.SlidingExpiry;
import dev.mayfly.engine.shard.WriteOptions;
import dev.mayfly.engine.shard.WritePath;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.engine.sweep.FeedTrimmer;
import dev.mayfly.engine.sweep.LazyIndexer;
import dev.mayfly.engine.sweep.ShardCheck;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.query.RootFields;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Collection of the engine in this process: routes operations to the owners of its shards. Safe for
 * many threads.
 */
public final class LocalCollection implements Collection {
  private final LocalEngine engine;
  private final List<ShardOwner> owners;
  private final List<WritePath> paths;
  private final RequestUnitBudget requestUnitBudget;
  private volatile CompiledCollection compiled;
  private volatile Optional<EngineException> buildFailure = Optional.empty();
  private final BuildWaiters buildWaiters;
  private final IndexStatistics indexStatistics;
  private final InlineQueries inlineQueries = new InlineQueries();
  private final ExpiryHost expiryHost = new ExpiryHost();
  private final ExpiryService expiry;

  /**
   * @param conflictNanos how long a write waits for a transaction that has locked its document
   */
  LocalCollection(
      LocalEngine engine,
      CompiledCollection compiled,
      List<ShardOwner> owners,
      long conflictNanos) {
    this.engine = engine;
    this.compiled = compiled;
    this.owners = List.copyOf(owners);
    this.paths = owners.stream().map(owner -> new WritePath(owner, conflictNanos)).toList();
    this.requestUnitBudget = new RequestUnitBudget(compiled.spec().throughput(), engine.now());
    this.buildWaiters = new BuildWaiters(this::state);
    this.indexStatistics = new IndexSampler(this.owners);
    this.expiry = new LocalExpiryService(expiryHost);
    noteSliding();
  }

  private void noteSliding() {
    if (!compiled.sliding().isEmpty()) {
      engine.registry().slides();
    }
  }

  @Override
  public Namespace namespace() {
    return state().namespace();
  }

  @Override
  public CollectionSpec spec() {
    return state().spec();
  }

  @Override
  public boolean dropped() {
    return owners.getFirst().closed();
  }

  @Override
  public long id() {
    return state().id();
  }

  @Override
  public UUID uuid() {
    return engine.registry().uuidOf(id());
  }

  public CollectionState state() {
    return compiled.state();
  }

  public CompiledCollection compiled() {
    return compiled;
  }

  /** Returns the index statistics for the planner. */
  IndexStatistics indexStatistics() {
    return indexStatistics;
  }

  public List<ShardOwner> owners() {
    return owners;
  }

  @Override
  public OperationContext operation() {
    return OperationContext.begin(engine::now);
  }

  @Override
  public WriteResult write(
      OperationContext operation,
      List<Write> writes,
      Grouping grouping,
      Durability durability,
      @Nullable Retry retry) {
    long now = engine.enter(operation);
    requestUnitBudget.check(now);
    engine.checkRoom(writes);
    Charge charge = new Charge();
    WriteOptions options = new WriteOptions(grouping, durability, retry, operation);
    List<WriteOutcome> outcomes =
        operation.pending().isPresent()
            ? defer(writes, options, charge, operation.pending().get())
            : write(writes, options, charge);
    requestUnitBudget.take(charge.units());
    return new WriteResult(outcomes, charge.units());
  }

  private List<WriteOutcome> defer(
      List<Write> writes, WriteOptions options, Charge charge, PendingCommit pending) {
    if (writes.size() != 1) {
      throw new WouldBlock();
    }
    WritePath path = paths.size() == 1 ? paths.getFirst() : paths.get(shardOf(writes.getFirst()));
    return path.defer(writes, options, charge, pending);
  }

  private List<WriteOutcome> write(List<Write> writes, WriteOptions options, Charge charge) {
    return owners.size() == 1
        ? paths.getFirst().write(writes, options, charge)
        : spread(writes, options, charge);
  }

  @Override
  public Optional<WriteOutcome.Repeated> receipt(ByteKey session, long number, int statement) {
    Optional<WriteOutcome.Repeated> found = Optional.empty();
    for (ShardOwner owner : owners) {
      found = found.or(() -> owner.receipt(session, number, statement));
    }
    return found;
  }

  private List<WriteOutcome> spread(List<Write> writes, WriteOptions options, Charge charge) {
    Grouping grouping = options.grouping();
    int[] shards = writes.stream().mapToInt(this::shardOf).toArray();
    if (grouping == Grouping.ATOMIC) {
      if (Arrays.stream(shards).distinct().count() > 1) {
        throw new EngineException(Reason.BAD_KEY, "atomic writes must target one partition key");
      }
      return paths.get(shards[0]).write(writes, options, charge);
    }
    WriteOutcome[] outcomes = new WriteOutcome[writes.size()];
    Arrays.fill(outcomes, new WriteOutcome.Skipped());
    boolean failed = false;
    for (int i = 0; i < shards.length && !(failed && grouping == Grouping.ORDERED); i++) {
      List<WriteOutcome> one =
          paths.get(shards[i]).write(List.of(writes.get(i)), options.forWrite(i), charge);
      outcomes[i] = one.getFirst();
      failed |= one.getFirst() instanceof WriteOutcome.Failed;
    }
    return List.of(outcomes);
  }

  private int shardOf(Write write) {
    return keyOf(write).shardOf(owners.size());
  }

  /** Returns the key of the document that a write targets. */
  PrimaryKey keyOf(Write write) {
    return switch (write) {
      case Write.Insert(Document document) -> PrimaryKey.of(spec(), document);
      case Write.Upsert(Document document, _) -> PrimaryKey.of(spec(), document);
      case Write.Replace(Document document, _) -> PrimaryKey.of(spec(), document);
      case Write.Update(DocumentKey key, _, _, _) -> PrimaryKey.of(spec(), key);
      case Write.Touch(DocumentKey key, _, _) -> PrimaryKey.of(spec(), key);
      case Write.InsertRenamed(_, Document document) -> PrimaryKey.of(spec(), document);
      case Write.Delete(DocumentKey key, _) -> PrimaryKey.of(spec(), key);
    };
  }

  ShardOwner ownerOf(PrimaryKey key) {
    return owners.get(key.shardOf(owners.size()));
  }

  @Override
  public Optional<StoredDocument> read(OperationContext operation, DocumentKey key) {
    long now = engine.enter(operation);
    requestUnitBudget.check(now);
    PrimaryKey primaryKey = PrimaryKey.of(spec(), key);
    Optional<StoredDocument> found =
        ownerOf(primaryKey).readAndTouch(primaryKey, now, operation.pending().isEmpty());
    requestUnitBudget.take(cost(found));
    return found;
  }

  @Override
  public Optional<StoredDocument> peek(OperationContext operation, DocumentKey key) {
    long now = engine.enter(operation);
    requestUnitBudget.check(now);
    PrimaryKey primaryKey = PrimaryKey.of(spec(), key);
    ShardOwner owner = ownerOf(primaryKey);
    boolean mayBlock = operation.pending().isEmpty();
    owner.settleTouches(now, mayBlock);
    Optional<StoredDocument> found =
        mayBlock ? owner.read(primaryKey, now) : owner.readIfCached(primaryKey, now);
    requestUnitBudget.take(cost(found));
    return found;
  }

  /** Touches a document that a query has returned, if it is still live. */
  private void touch(byte[] record, boolean mayBlock) {
    PrimaryKey key = PrimaryKey.of(spec(), RecordFormat.document(record));
    ownerOf(key).readAndTouch(key, engine.now(), mayBlock);
  }

  /** Returns whether all documents that a query returns are touched. */
  private boolean touches(Query query, Plan plan) {
    return query.touches() && slides(query, plan);
  }

  /** Returns whether a read of a document by a query extends its life. */
  private boolean slides(Query query, Plan plan) {
    SlidingExpiry sliding = owners.getFirst().sliding();
    return sliding.isOn()
        && !query.wanted().equals(RootFields.NONE)
        && (plan instanceof Plan.Point || sliding.byQuery());
  }

  private static double cost(Optional<StoredDocument> found) {
    return found.map(one -> Charge.read(one.document().length())).orElse(Charge.MISS);
  }

  @Override
  public QueryCursor query(Query query) {
    return query(operation(), query);
  }

  @Override
  public QueryCursor query(OperationContext operation, Query query) {
    return operation.pending().isPresent()
        ? queryInline(operation, query)
        : query(
            operation, query, state -> Planner.plan(state, query, this::arrays, indexStatistics));
  }

  /**
   * Opens a query on an event loop, if it may be short: it uses an index and needs no sort.
   *
   * @throws WouldBlock if it has to run in another thread
   */
  private QueryCursor queryInline(OperationContext operation, Query query) {
    inlineQueries.begin();
    try {
      return open(
          operation,
          query,
          state -> inlinePlan(state, query),
          List.of(),
          Sorting.IF_NEEDED,
          inlineQueries);
    } catch (WouldBlock later) {
      inlineQueries.end(false);
      throw later;
    }
  }

  private Plan inlinePlan(CollectionState state, Query query) {
    Plan plan = Planner.plan(state, query, this::arrays, IndexStatistics.NOT_AVAILABLE);
    boolean scans = plan instanceof Plan.Records || plan instanceof Plan.Union;
    if (scans || !(query.order().isEmpty() || plan.ordered())) {
      throw new WouldBlock();
    }
    return plan;
  }

  @Override
  public Cursor.Planned queryUnsorted(OperationContext operation, Query query) {
    return query(
            operation,
            query,
            state -> Planner.plan(state, query, this::arrays, indexStatistics),
            List.of(),
            Sorting.NEVER)
        .planned();
  }

  @Override
  public QueryCursor resume(OperationContext operation, Query query, byte[] place) {
    return switch (ResumePoint.of(place)) {
      case ResumePoint.Skipped(long count) -> query(operation, query.skipping(count));
      case ResumePoint.Reached(ResumePoint.AccessPath way, List<Position> positions) ->
          query(
              operation,
              query.skipping(0),
              state -> way.plan(state, query, this::arrays),
              positions,
              Sorting.IF_NEEDED);
    };
  }

  @Override
  public QueryCursor arrivals(OperationContext operation, Query query, long after) {
    if (!spec().capped()) {
      throw new EngineException(Reason.BAD_SPEC, "tailable cursors need a capped collection");
    }
    return query(operation, query, _ -> new Plan.Arrivals(Direction.UP, after));
  }

  @Override
  public long lastArrival() {
    return owners.getFirst().lastArrival();
  }

  @Override
  public long lastDeparted() {
    return owners.getFirst().cappedOrder().first();
  }

  @Override
  public boolean awaitArrival(long after, Duration most) throws InterruptedException {
    return owners.getFirst().awaitArrival(after, most.toNanos());
  }

  @Override
  public QueryCursor records(OperationContext operation, List<Value> partition) {
    return query(operation, everything(), state -> Planner.records(state.spec(), partition));
  }

  @Override
  public QueryCursor records(OperationContext operation, List<Value> partition, DocumentKey after) {
    return query(
        operation,
        everything(),
        state -> {
          PrimaryKey key = PrimaryKey.of(state.spec(), after);
          Range range = Planner.records(state.spec(), partition).range();
          return new Plan.After(range, key, ownerOf(key));
        });
  }

  private Query everything() {
    return Query.of(Filter.all(), spec().dialect().mode());
  }

  private QueryCursor query(
      OperationContext operation, Query query, Function<CollectionState, Plan> planner) {
    return query(operation, query, planner, List.of(), Sorting.IF_NEEDED);
  }

  private QueryCursor query(
      OperationContext operation,
      Query query,
      Function<CollectionState, Plan> planner,
      List<Position> positions,
      Sorting sorting) {
    operation.mayWait();
    return open(operation, query, planner, positions, sorting, null);
  }

  /**
   * Plans and opens a query.
   *
   * @param inline of a query on an event loop; null if it may block
   */
  private QueryCursor open(
      OperationContext operation,
      Query query,
      Function<CollectionState, Plan> planner,
      List<Position> positions,
      Sorting sorting,
      @Nullable InlineQueries inline) {
    OpenReads.Reading reading = engine.enterToRead(operation);
    try {
      requestUnitBudget.check(reading.now());
      Optional<QueryCursor> cursor = tryOpen(query, planner, positions, sorting, reading, inline);
      while (cursor.isEmpty()) {
        operation.mayWait();
        cursor = tryOpen(query, planner, positions, sorting, reading, inline);
      }
      return cursor.get();
    } catch (RuntimeException | WouldBlock refused) {
      engine.openReads().leave(reading);
      throw refused;
    }
  }

  /** Plans and opens a query; empty if the collection was changed meanwhile. */
  private Optional<QueryCursor> tryOpen(
      Query query,
      Function<CollectionState, Plan> planner,
      List<Position> positions,
      Sorting sorting,
      OpenReads.Reading reading,
      @Nullable InlineQueries inline) {
    CompiledCollection planned = compiled;
    if (!isCurrent(planned)) {
      return Optional.empty();
    }
    Plan plan = planner.apply(planned.state());
    long arrays = arrays(plan);
    List<ShardOwner> chosen = ownersFor(plan);
    if (!positions.isEmpty() && positions.size() != chosen.size()) {
      throw new EngineException(
          Reason.BAD_HINT, "the continuation token is of a collection with other shards");
    }
    RootFields reads = touches(query, plan) ? RootFields.ALL : query.reads();
    var options =
        new ShardScan.Options(
            reads, query.scattered(), engine.scanWorkers(), inline == null, reading.since());
    List<ShardScan> sources = new ArrayList<>();
    for (int i = 0; i < chosen.size(); i++) {
      chosen.get(i).settleTouches(reading.now(), inline == null);
      Position from = positions.isEmpty() ? ShardScan.START : positions.get(i);
      sources.add(ShardScan.open(chosen.get(i), plan, reading.now(), from, options));
    }
    if (!isCurrent(planned) || arrays(plan) != arrays) {
      sources.forEach(ShardScan::close);
      return Optional.empty();
    }
    return Optional.of(
        cursor(
            query,
            plan,
            sources,
            sorting,
            units -> closed(reading, units),
            QueryCursor.Use.NONE,
            inline));
  }

  /** What happens if a plan does not give the order of a query. */
  enum Sorting {
    /** The cursor sorts. */
    IF_NEEDED,
    /** The caller sorts: the cursor has no order, skip and limit. */
    NEVER
  }

  QueryCursor cursor(
      Query asked,
      Plan plan,
      List<ShardScan> sources,
      Sorting sorting,
      DoubleConsumer onClose,
      QueryCursor.Use use,
      @Nullable InlineQueries inline) {
    boolean unordered = sorting == Sorting.NEVER && QueryCursor.sorts(asked, plan, sources);
    Query query = unordered ? asked.unordered() : asked;
    long met = arrays(plan);
    return new QueryCursor(
        query,
        plan,
        () -> Planner.explain(plan, query, plan instanceof Plan.Union ? this::arrays : _ -> met),
        sources,
        engine.settings().sorting().workspace(query.disk()),
        onClose,
        use,
        slides(asked, plan) ? record -> touch(record, inline == null) : null,
        inline);
  }

  @Override
  public Explanation explain(OperationContext operation, Query query) {
    try (QueryCursor cursor = query(operation, query)) {
      return cursor.explain();
    }
  }

  /** Returns whether a state is the current state of the collection and of all its shards. */
  boolean isCurrent(CompiledCollection state) {
    return compiled == state && owners.stream().allMatch(owner -> owner.compiled() == state);
  }

  private void closed(OpenReads.Reading reading, double units) {
    engine.openReads().leave(reading);
    spend(units);
  }

  @Override
  public void spend(double units) {
    requestUnitBudget.take(units);
  }

  private long arrays(Plan plan) {
    return switch (plan) {
      case Plan.Index(IndexState index, _) -> arrays(index);
      // bits are never cleared, so the sum changes if any bit does
      case Plan.Union(List<Plan.Branch> branches) ->
          branches.stream().mapToLong(branch -> arrays(branch.way())).sum();
      case Plan.Point _, Plan.Ids _, Plan.Records _, Plan.After _, Plan.Arrivals _ -> 0;
    };
  }

  /** Returns the owners of the shards that a plan reads. */
  List<ShardOwner> ownersFor(Plan plan) {
    return switch (plan) {
      case Plan.Point(PrimaryKey key) -> List.of(ownerOf(key));
      case Plan.After(_, _, ShardOwner first) ->
          owners.subList(owners.indexOf(first), owners.size());
      case Plan.Index _, Plan.Ids _, Plan.Union _, Plan.Records _, Plan.Arrivals _ -> owners;
    };
  }

  long arrays(IndexState index) {
    long met = 0;
    for (ShardOwner owner : owners) {
      met |= owner.arrays(index);
    }
    return met;
  }

  @Override
  public long count(OperationContext operation, Filter filter) {
    if (filter.equals(Filter.all())) {
      return usage(operation).documents();
    }
    long count = 0;
    Query query = Query.of(filter, spec().dialect().mode()).wanting(RootFields.NONE).inAnyOrder();
    try (QueryCursor cursor = query(operation, query)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public Usage usage(OperationContext operation) {
    operation.mayWait();
    long now = engine.enter(operation);
    Usage usage = Usage.NONE;
    for (ShardOwner owner : owners) {
      usage = usage.plus(owner.liveCounter().usage(now));
    }
    Usage live = usage.minus(DeadChildren.count(owners, now));
    return new Usage(Math.max(live.documents(), 0), Math.max(live.bytes(), 0));
  }

  @Override
  public ExpiryService expiry(OperationContext operation) {
    operation.mayWait();
    return new LocalExpiryService(expiryHost, operation);
  }

  @Override
  public ExpiryService expiry() {
    return expiry;
  }

  /** Access of the expiry service to this collection and its catalog. */
  private final class ExpiryHost implements LocalExpiryService.Host {
    @Override
    public long enter() {
      return engine.enter();
    }

    @Override
    public long enter(OperationContext operation) {
      return engine.enter(operation);
    }

    @Override
    public long now() {
      return engine.now();
    }

    @Override
    public long nanos() {
      return engine.settings().ticker().getAsLong();
    }

    @Override
    public ChangeTime changeTime(long now) {
      return engine.registry().changeTime(now);
    }

    @Override
    public Sequence sequence() {
      return engine.sequence();
    }

    @Override
    public List<ShardOwner> owners() {
      return owners;
    }

    @Override
    public ShardOwner ownerOf(PrimaryKey key) {
      return LocalCollection.this.ownerOf(key);
    }

    @Override
    public CompiledCollection compiled() {
      return compiled;
    }

    @Override
    public boolean isCurrent(CompiledCollection state) {
      return LocalCollection.this.isCurrent(state);
    }

    @Override
    public Collection collection() {
      return LocalCollection.this;
    }

    @Override
    public void replace(StateChange change) {
      engine.registry().replace(LocalCollection.this, change);
    }

    @Override
    public long confirmedNow() {
      return engine.confirmedNow();
    }

    @Override
    public ArchiveStatus archiveStatus() {
      return engine.maintenance().archiveStatus(LocalCollection.this);
    }
  }

  @Override
  public void alter(UnaryOperator<CollectionSpec> change) {
    engine.registry().alter(this, change);
  }

  @Override
  public List<FeedReader> feeds() {
    return owners.stream().<FeedReader>map(ShardFeedReader::new).toList();
  }

  @Override
  public long lastPosition() {
    long last = ShardFeedReader.BEGINNING;
    for (ShardOwner owner : owners) {
      last = Math.max(last, owner.lastPosition());
    }
    return last;
  }

  @Override
  public void settle() {
    owners.forEach(ShardOwner::settle);
  }

  @Override
  public List<BuildProgress> builds() {
    return engine.maintenance().builds(this);
  }

  @Override
  public Optional<EngineException> buildFailure() {
    return buildFailure;
  }

  void buildFailed(String index, EngineException failure) {
    buildFailure = Optional.of(failure);
    buildWaiters.failed(index, failure);
  }

  @Override
  public void awaitBuilt(OperationContext operation, String index) {
    if (engine.settings().background()) {
      buildWaiters.await(index, operation::check);
    } else {
      buildWaiters.work(index, operation::check, engine::work);
    }
  }

  /** Ends all waits for index builds, because the collection was dropped or the engine closed. */
  void closed() {
    buildWaiters.close();
  }

  @Override
  public CheckReport check(boolean repair) {
    long now = engine.enter();
    CheckReport findings = CheckReport.NONE;
    for (ShardOwner owner : owners) {
      findings = findings.plus(ShardCheck.run(namespace().toString(), owner, now, repair));
    }
    return findings;
  }

  @Override
  public boolean hasShard(int number) {
    return owners.stream().anyMatch(owner -> owner.shard().number() == number);
  }

  @Override
  public void cutFeed() {
    long now = engine.enter();
    owners.forEach(owner -> new FeedTrimmer(owner, new LazyIndexer(owner)).cut(now));
  }

  @Override
  public long bytesOnDisk() {
    return owners.stream()
        .mapToLong(owner -> engine.store().bytesOnDisk(owner.shard().number()))
        .sum();
  }

  @Override
  public long bytesOnDisk(String index) {
    Optional<IndexState> found = state().index(index);
    return found.isEmpty()
        ? 0
        : owners.stream()
            .mapToLong(
                owner ->
                    engine
                        .store()
                        .bytesOnDisk(
                            owner.shard().number(),
                            Space.ENTRIES,
                            Range.prefix(Layout.indexPrefix(found.get().id()))))
            .sum();
  }

  @Override
  public void compact() {
    engine.enter();
    for (ShardOwner owner : owners) {
      for (Space space : Space.values()) {
        engine.store().reclaim(owner.shard().number(), space);
      }
    }
  }

  /** Returns the unused share of this second's request units, between 0 and 1. */
  double leftOver(long now) {
    return requestUnitBudget.leftOver(now);
  }

  /** Publishes a new state to all shards. The caller holds their locks. */
  void publish(CollectionState next, boolean paused, long now) {
    CompiledCollection changed = new CompiledCollection(next, paused, engine.sequence().next());
    compiled = changed;
    noteSliding();
    owners.forEach(owner -> owner.publish(changed));
    buildWaiters.changed();
    requestUnitBudget.change(next.spec().throughput(), now);
  }
}

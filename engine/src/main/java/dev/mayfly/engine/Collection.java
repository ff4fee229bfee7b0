package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
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
 * A collection of documents that live exactly as long as they should.
 *
 * <p>Every operation asks the clock once, at its entry. Safe for many threads.
 */
public final class Collection {
  private final Engine engine;
  private final List<ShardOwner> owners;
  private final Budget budget;
  private volatile Compiled compiled;
  private volatile Optional<EngineException> buildFailure = Optional.empty();
  private final Building building;
  private final Soundings soundings;
  private final Outlook outlook;

  Collection(Engine engine, Compiled compiled, List<ShardOwner> owners) {
    this.engine = engine;
    this.compiled = compiled;
    this.owners = List.copyOf(owners);
    this.budget = new Budget(compiled.spec().throughput(), engine.now());
    this.building = new Building(this);
    this.soundings = new ShardSoundings(this.owners);
    this.outlook = new Outlook(engine, this);
  }

  public Namespace namespace() {
    return state().namespace();
  }

  public CollectionSpec spec() {
    return state().spec();
  }

  /** Whether it was dropped, or the engine closed: it can no longer be written to. */
  public boolean dropped() {
    return owners.getFirst().closed();
  }

  /** A number that no other collection has or will have; a rename keeps it. */
  public long id() {
    return state().id();
  }

  /** As {@link #id()}, told apart from all collections of all engines. */
  public UUID uuid() {
    return engine.registry().uuidOf(id());
  }

  CollectionState state() {
    return compiled.state();
  }

  Compiled compiled() {
    return compiled;
  }

  /** What short looks into its indexes tell. */
  Soundings soundings() {
    return soundings;
  }

  /** What changes of its rules would do. */
  Outlook outlook() {
    return outlook;
  }

  List<ShardOwner> owners() {
    return owners;
  }

  /** Inserts a document; it survives a loss of power when this returns. */
  public Outcome insert(Document document) {
    return write(new Write.Insert(document));
  }

  /** Does one write, which survives a loss of power when this returns; throws when refused. */
  public Outcome write(Write write) {
    return write(List.of(write), Grouping.ATOMIC, Durability.SYNCED).only();
  }

  /** Does several writes and says what became of each. */
  public WriteReply write(List<Write> writes, Grouping grouping, Durability durability) {
    return write(writes, grouping, durability, (@Nullable Retry) null);
  }

  /**
   * Does several writes, but those that were done when they were first sent.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has moved on
   */
  public WriteReply write(
      List<Write> writes, Grouping grouping, Durability durability, @Nullable Retry retry) {
    return write(writes, grouping, durability, retry, () -> {});
  }

  /**
   * As {@link #write(List, Grouping, Durability, Retry)}, for who may not wait for ever. A write to
   * a document that a transaction holds waits until it lets go.
   *
   * @param check called now and then while a write waits; what it throws ends the wait, and nothing
   *     was written
   */
  public WriteReply write(
      List<Write> writes,
      Grouping grouping,
      Durability durability,
      @Nullable Retry retry,
      Runnable check) {
    long now = engine.enter();
    budget.check(now);
    engine.checkRoom(writes);
    Charge charge = new Charge();
    Manner manner = new Manner(grouping, durability, retry, check, engine::now);
    List<Outcome> outcomes =
        owners.size() == 1
            ? owners.getFirst().turns().write(writes, manner, now, charge)
            : spread(writes, manner, now, charge);
    budget.take(charge.units());
    return new WriteReply(outcomes, charge.units());
  }

  /**
   * Decides a write as {@link #write(List, Grouping, Durability, Retry, Runnable)} does, and
   * commits it together with others when the pledge is kept.
   *
   * @throws NotAtOnce when it would have to wait: for a disk, for a transaction, for the shard;
   *     several writes at a time always have to. A write that is to survive a loss of power is
   *     decided and committed without a wait; its pledge is kept when the disk has it
   */
  public WriteReply promise(
      List<Write> writes, Durability durability, @Nullable Retry retry, Pledge pledge) {
    if (writes.size() != 1) {
      throw new NotAtOnce();
    }
    long now = engine.enter();
    budget.check(now);
    engine.checkRoom(writes);
    Charge charge = new Charge();
    Manner manner = new Manner(Grouping.ATOMIC, durability, retry, () -> {}, engine::now);
    ShardOwner owner =
        owners.size() == 1 ? owners.getFirst() : owners.get(shardOf(writes.getFirst()));
    List<Outcome> outcomes = owner.turns().promise(writes, manner, now, charge, pledge);
    budget.take(charge.units());
    return new WriteReply(outcomes, charge.units());
  }

  /**
   * What became of a write that may have been sent before, if it was done then: to be asked before
   * looking for the document to write to, which may no longer be found.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has moved on
   */
  public Optional<Outcome.Repeated> receipt(Bytes session, long number, int statement) {
    Optional<Outcome.Repeated> found = Optional.empty();
    for (ShardOwner owner : owners) {
      found = found.or(() -> owner.turns().receipt(session, number, statement));
    }
    return found;
  }

  private List<Outcome> spread(List<Write> writes, Manner manner, long now, Charge charge) {
    Grouping grouping = manner.grouping();
    int[] shards = writes.stream().mapToInt(this::shardOf).toArray();
    if (grouping == Grouping.ATOMIC) {
      if (Arrays.stream(shards).distinct().count() > 1) {
        throw new EngineException(Reason.BAD_KEY, "an atomic group falls into one shard");
      }
      return owners.get(shards[0]).turns().write(writes, manner, now, charge);
    }
    Outcome[] outcomes = new Outcome[writes.size()];
    Arrays.fill(outcomes, new Outcome.Skipped());
    boolean failed = false;
    for (int i = 0; i < shards.length && !(failed && grouping == Grouping.ORDERED); i++) {
      ShardOwner owner = owners.get(shards[i]);
      List<Outcome> one = owner.turns().write(List.of(writes.get(i)), manner.ofOne(i), now, charge);
      outcomes[i] = one.getFirst();
      failed |= one.getFirst() instanceof Outcome.Failed;
    }
    return List.of(outcomes);
  }

  private int shardOf(Write write) {
    return shardOf(keyOf(write));
  }

  /** The key of the document that a write is to. */
  PrimaryKey keyOf(Write write) {
    return switch (write) {
      case Write.Insert(Document document) -> PrimaryKey.of(spec(), document);
      case Write.Upsert(Document document, _) -> PrimaryKey.of(spec(), document);
      case Write.Replace(Document document, _) -> PrimaryKey.of(spec(), document);
      case Write.Update(DocumentKey key, _, _, _) -> PrimaryKey.of(spec(), key);
      case Write.Rewrite(DocumentKey key, _, _) -> PrimaryKey.of(spec(), key);
      case Write.Heir(_, Document document) -> PrimaryKey.of(spec(), document);
      case Write.Delete(DocumentKey key, _) -> PrimaryKey.of(spec(), key);
    };
  }

  ShardOwner ownerOf(PrimaryKey key) {
    return owners.size() == 1 ? owners.getFirst() : owners.get(shardOf(key));
  }

  /** By the partition key, or by the id when there is none. */
  private int shardOf(PrimaryKey key) {
    int length = key.partitionLength() > 0 ? key.partitionLength() : key.bytes().length;
    int hash = 0x811C9DC5;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ (key.bytes()[i] & 0xFF)) * 0x01000193;
    }
    hash ^= hash >>> 16;
    return Math.floorMod(hash * 0x85EBCA6B, owners.size());
  }

  /** The live document of that key, if there is one. */
  public Optional<Stored> read(DocumentKey key) {
    long now = engine.enter();
    budget.check(now);
    PrimaryKey primaryKey = PrimaryKey.of(spec(), key);
    Optional<Stored> found = ownerOf(primaryKey).read(primaryKey, now);
    budget.take(cost(found));
    return found;
  }

  /** As {@link #read}, for who must not wait for a disk. What had to wait has cost nothing yet. */
  public Glance glance(DocumentKey key) {
    long now = engine.enter();
    budget.check(now);
    PrimaryKey primaryKey = PrimaryKey.of(spec(), key);
    Glance glance = ownerOf(primaryKey).glance(primaryKey, now);
    if (glance instanceof Glance.Told(Optional<Stored> found)) {
      budget.take(cost(found));
    }
    return glance;
  }

  private static double cost(Optional<Stored> found) {
    return found.map(one -> Charge.read(one.document().length())).orElse(Charge.MISS);
  }

  /**
   * The live documents of a query, as they are now. The cursor must be closed.
   *
   * @throws EngineException BAD_HINT
   */
  public Cursor query(Query query) {
    return query(query, state -> Planner.plan(state, query, this::arrays, soundings));
  }

  /**
   * The live documents of a query behind a place that {@link Cursor#place} gave, as they are now.
   * What the query skips is behind it; its limit counts from there.
   *
   * @throws EngineException BAD_HINT when the place is none of this query, or what it was found by
   *     is gone
   */
  public Cursor resume(Query query, byte[] place) {
    return switch (Bookmark.of(place)) {
      case Bookmark.Skipped(long count) -> query(query.skipping(count));
      case Bookmark.Reached(Bookmark.Way way, List<Position> positions) ->
          query(query.skipping(0), state -> way.plan(state, query, this::arrays), positions);
    };
  }

  /**
   * The live documents of a capped collection in the order of their arrival, those after {@link
   * Cursor#arrival} alone: where who follows a collection goes on.
   */
  public Cursor arrivals(Query query, long after) {
    if (!spec().capped()) {
      throw new EngineException(Reason.BAD_SPEC, "only a capped collection can be followed");
    }
    return query(query, _ -> new Plan.Arrivals(Direction.UP, after));
  }

  /** The newest arrival: {@link #arrivals} called from now on has it and all before it. */
  public long lastArrival() {
    return owners.getFirst().lastArrival();
  }

  /**
   * The last arrival that had to make room in a capped collection, with all before it; far below
   * any when none had to since the engine was opened.
   */
  public long lastDeparted() {
    return owners.getFirst().arrivals().first();
  }

  /** Waits until a document has arrived after another; false when the time has run out. */
  public boolean awaitArrival(long after, Duration most) throws InterruptedException {
    return owners.getFirst().awaitArrival(after, most.toNanos());
  }

  /**
   * The live documents whose partition key begins with these values, all when there are none, in
   * the order they lie: shard by shard, there by partition key and id.
   */
  public Cursor records(List<Value> partition) {
    return query(everything(), state -> Planner.records(state.spec(), partition));
  }

  /** Those of {@link #records(List)} that lie behind a key, whether or not there is such one. */
  public Cursor records(List<Value> partition, DocumentKey after) {
    return query(
        everything(),
        state -> {
          PrimaryKey key = PrimaryKey.of(state.spec(), after);
          Range range = Planner.records(state.spec(), partition).range();
          return new Plan.Behind(range, key, ownerOf(key));
        });
  }

  private Query everything() {
    return Query.of(Filter.all(), spec().dialect().mode());
  }

  private Cursor query(Query query, Function<CollectionState, Plan> planner) {
    return query(query, planner, List.of());
  }

  private Cursor query(
      Query query, Function<CollectionState, Plan> planner, List<Position> positions) {
    long now = engine.enterToRead();
    try {
      budget.check(now);
      Optional<Cursor> cursor = Optional.empty();
      while (cursor.isEmpty()) {
        cursor = open(query, planner, positions, now);
      }
      return cursor.get();
    } catch (RuntimeException refused) {
      engine.readers().leave(now);
      throw refused;
    }
  }

  /** Plans and opens a query; empty when the collection was changed before it was open. */
  private Optional<Cursor> open(
      Query query, Function<CollectionState, Plan> planner, List<Position> positions, long now) {
    Compiled planned = compiled;
    if (!inForce(planned)) {
      return Optional.empty();
    }
    Plan plan = planner.apply(planned.state());
    long arrays = arrays(plan);
    List<ShardOwner> chosen = ownersFor(plan);
    if (!positions.isEmpty() && positions.size() != chosen.size()) {
      throw new EngineException(Reason.BAD_HINT, "the place to go on from has other shards");
    }
    var manner = new Source.Manner(query.reads(), query.scattered(), engine.companions());
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < chosen.size(); i++) {
      Position from = positions.isEmpty() ? Source.START : positions.get(i);
      sources.add(Source.open(chosen.get(i), plan, now, from, manner));
    }
    if (!inForce(planned) || arrays(plan) != arrays) {
      sources.forEach(Source::close);
      return Optional.empty();
    }
    return Optional.of(cursor(query, plan, sources, units -> closed(now, units), Cursor.Use.FREE));
  }

  Cursor cursor(
      Query query, Plan plan, List<Source> sources, DoubleConsumer onClose, Cursor.Use use) {
    long met = arrays(plan);
    return new Cursor(
        query,
        plan,
        () -> Planner.explain(plan, query, plan instanceof Plan.Union ? this::arrays : _ -> met),
        sources,
        engine.settings().sorting().workspace(query.disk()),
        onClose,
        use);
  }

  /** How a query would find its documents, without looking at any. */
  public Explanation explain(Query query) {
    try (Cursor cursor = query(query)) {
      return cursor.explain();
    }
  }

  /** Whether this is the state of the collection, and of all its shards. */
  boolean inForce(Compiled state) {
    return compiled == state && owners.stream().allMatch(owner -> owner.compiled() == state);
  }

  private void closed(long now, double units) {
    engine.readers().leave(now);
    spend(units);
  }

  /** Takes what an operation has cost, here or in a collection that belongs to this one. */
  public void spend(double units) {
    budget.take(units);
  }

  private long arrays(Plan plan) {
    return switch (plan) {
      case Plan.Index(IndexState index, _) -> arrays(index);
      // bits are never taken back: the sum changes when any of them does
      case Plan.Union(List<Plan.Branch> branches) ->
          branches.stream().mapToLong(branch -> arrays(branch.way())).sum();
      case Plan.Point _, Plan.Ids _, Plan.Records _, Plan.Behind _, Plan.Arrivals _ -> 0;
    };
  }

  /** The shards that a plan leads to. */
  List<ShardOwner> ownersFor(Plan plan) {
    return switch (plan) {
      case Plan.Point(PrimaryKey key) -> List.of(ownerOf(key));
      case Plan.Behind(_, _, ShardOwner first) ->
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

  /** How many live documents match. */
  public long count(Filter filter) {
    if (filter.equals(Filter.all())) {
      return usage().documents();
    }
    long count = 0;
    Query query = Query.of(filter, spec().dialect().mode()).wanting(RootFields.NONE).inAnyOrder();
    try (Cursor cursor = query(query)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  /** Documents and bytes that are live now; expired ones do not count, swept or not. */
  public Usage usage() {
    long now = engine.enter();
    Usage usage = Usage.NONE;
    for (ShardOwner owner : owners) {
      usage = usage.plus(owner.census().usage(now));
    }
    return usage;
  }

  /** Documents and bytes that have expired and are still to be swept: nobody else sees them. */
  public Usage backlog() {
    long now = engine.enter();
    Usage backlog = Usage.NONE;
    for (ShardOwner owner : owners) {
      backlog = backlog.plus(owner.census().backlog(now));
    }
    return backlog;
  }

  /** The live documents that will have expired at an instant, by rule. */
  public Forecast forecast(long until) {
    long now = engine.enter();
    return outlook.forecast(now, until);
  }

  /** What a change of the collection would expire at once, without doing it. */
  public Usage whatIf(UnaryOperator<CollectionSpec> change) {
    long now = engine.enter();
    return outlook.whatIf(change, now);
  }

  /** Changes the collection: one write to the catalog, whatever it holds. */
  public void alter(UnaryOperator<CollectionSpec> change) {
    engine.registry().alter(this, change);
  }

  /**
   * Changes the collection unless that would expire too many documents at once, and returns what it
   * has expired. Counting and changing are one step: no write comes between. Writers wait only
   * while what was written during the count is counted; documents that nobody wrote meanwhile count
   * as of its beginning.
   *
   * @throws EngineException EXPIRES_TOO_MUCH with the number it would expire
   */
  public Usage alter(UnaryOperator<CollectionSpec> change, long mostExpired) {
    return engine.registry().alter(this, change, mostExpired);
  }

  /** Undoes the last change of rules alone, whatever that brings back. */
  void undo() {
    engine.registry().undo(this);
  }

  /**
   * Undoes the last change of rules that expired something, and those after it but for the ones
   * that only lengthened lives; returns what is back.
   *
   * @throws EngineException NOTHING_TO_UNDO when nothing would come back; no rule has changed then
   */
  public Usage restore() {
    return engine.registry().restore(this);
  }

  /** The feeds of this collection, one per shard. */
  public List<FeedReader> feeds() {
    return owners.stream().map(FeedReader::new).toList();
  }

  /** The position of the newest change in any of its feeds. */
  public long lastPosition() {
    long last = FeedReader.BEGINNING;
    for (ShardOwner owner : owners) {
      last = Math.max(last, owner.lastPosition());
    }
    return last;
  }

  /**
   * Returns when the writes that had begun are done: their changes, and all with lower positions,
   * can be read from the feeds.
   */
  public void settle() {
    owners.forEach(ShardOwner::settle);
  }

  /** What is being built, and how far it is. */
  public List<BuildProgress> builds() {
    return engine.keeper().builds(this);
  }

  /** Why the last build failed, if it did: its index was given up. */
  public Optional<EngineException> buildFailure() {
    return buildFailure;
  }

  void buildFailed(String index, EngineException failure) {
    buildFailure = Optional.of(failure);
    building.failed(index, failure);
  }

  /**
   * Waits until an index is built. Where the engine has no thread for it, this one does the work.
   *
   * @throws EngineException why it could not be built and was given up; CLOSED when the collection
   *     or the index went away meanwhile
   */
  public void awaitBuilt(String index) {
    awaitBuilt(index, () -> {});
  }

  /**
   * As {@link #awaitBuilt(String)}, for who may not wait for ever. The build goes on all the same.
   *
   * @param check called now and then; what it throws ends the wait
   */
  public void awaitBuilt(String index, Runnable check) {
    if (engine.settings().background()) {
      building.await(index, check);
    } else {
      building.work(index, check, engine::work);
    }
  }

  /** Lets go whoever waits for a build: this collection is gone or the engine closed. */
  void closed() {
    building.close();
  }

  /**
   * Compares all that is stored of this collection with itself, and if wanted puts right what
   * disagrees with the documents. Holds writers off meanwhile.
   */
  public Findings check(boolean repair) {
    long now = engine.enter();
    Findings findings = Findings.NONE;
    for (ShardOwner owner : owners) {
      findings = findings.plus(ShardCheck.run(this, owner, now, repair));
    }
    return findings;
  }

  /** Whether it keeps its documents in a shard of the store. */
  public boolean hasShard(int number) {
    return owners.stream().anyMatch(owner -> owner.shard().number() == number);
  }

  /**
   * Cuts off all changes that the feed still tells, and removes them without reading them: some of
   * them are damaged. Who follows the feed has to begin anew, as after a trim.
   */
  public void cutFeed() {
    long now = engine.enter();
    owners.forEach(owner -> new ShardUpkeep(owner).cut(now));
  }

  /** How much of the disk its documents, indexes and changes take, approximately. */
  public long bytesOnDisk() {
    return owners.stream()
        .mapToLong(owner -> engine.store().bytesOnDisk(owner.shard().number()))
        .sum();
  }

  /** How much of {@link #bytesOnDisk()} the entries of an index take; 0 when there is no such. */
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

  /**
   * Gives back the space of all that has been deleted or swept, as far as the store can; takes
   * long. Reads and writes go on meanwhile.
   */
  public void compact() {
    engine.enter();
    for (ShardOwner owner : owners) {
      for (Space space : Space.values()) {
        engine.store().reclaim(owner.shard().number(), space);
      }
    }
  }

  /** The share of this second's request units that is not used, between 0 and 1. */
  double leftOver(long now) {
    return budget.leftOver(now);
  }

  /** Puts a changed state into force on all shards. The caller holds their locks. */
  void publish(CollectionState next, boolean paused, long now) {
    Compiled changed = new Compiled(next, paused, engine.sequence().next());
    compiled = changed;
    owners.forEach(owner -> owner.publish(changed));
    building.changed();
    budget.change(next.spec().throughput(), now);
  }
}

package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.item.ItemForm;
import dev.mayfly.cosmos.item.KeyRange;
import dev.mayfly.cosmos.item.UnindexedFlag;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Cursor.Progress;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Explanation;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.sql.DistinctFilter;
import dev.mayfly.sql.EvaluationException;
import dev.mayfly.sql.Groups;
import dev.mayfly.sql.Row;
import dev.mayfly.sql.Rows;
import dev.mayfly.sql.Selection;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One page of a query in the making. For one thread.
 *
 * <p>There are two ways to a page. Where each item gives its results by itself, in the order the
 * engine gives items, the page goes on where the last one ended, and ends when it is full or has
 * taken long enough. Where results depend on all items (groups, an order that has to be made) a
 * page computes them all and leaves out those given before. What it has computed beyond its end,
 * and which distinct results were given, is left over for the next page, which does without if it
 * must.
 */
final class QueryPage {
  /** What groups and distinct results may hold. */
  static final long MEMORY_BYTES = 64 << 20;

  /** How much is looked at between two looks at the clock. */
  private static final long LOOKS = 5000;

  /** How many results beyond a page are computed with it where that costs little. */
  private static final long AHEAD = 2000;

  private final Container container;
  private final CompiledQuery query;
  private final KeyRange range;
  private final Ordering ordering;
  private final PageCache.Shelf leftovers;
  private final PageLimit limit;
  private final Timer timer;
  private final Results results;
  private final Row row;

  /** Taken before anything is read. */
  private final PageCache.Basis basis;

  private final long take;
  private QueryContinuation at;
  private @Nullable DistinctFilter distinctFilter;
  private long skip;
  private long deadline = Deadline.NEVER;
  private Optional<QueryContinuation> next = Optional.empty();
  private final boolean explains;
  private final Filter visible;
  private long bytes;
  private Measures measures = Measures.NONE;
  private final List<QueryMemory.Holding> held = new ArrayList<>();

  /**
   * @param visible what items must meet to be found at all
   * @param explains whether to tell how the engine finds items
   */
  QueryPage(
      Container container,
      CompiledQuery query,
      KeyRange range,
      Filter visible,
      QueryContinuation from,
      Results results,
      PageCache.Shelf leftovers,
      PageLimit limit,
      boolean explains) {
    this.container = container;
    this.query = query;
    this.range = range;
    this.visible = visible;
    this.ordering = Ordering.of(query, container);
    this.at = from;
    this.results = results;
    this.leftovers = leftovers;
    this.limit = limit;
    this.timer = limit.timer();
    this.explains = explains;
    this.basis = PageCache.Basis.of(container.collection());
    this.row = Row.of(query.slots(), timer.startedAt());
    long most = Math.min(query.top(), query.limit());
    this.take = most > Long.MAX_VALUE - query.offset() ? Long.MAX_VALUE : query.offset() + most;
  }

  /** Where the next page begins; empty when there is none. */
  Optional<QueryContinuation> next() {
    return next;
  }

  /** What it has taken. */
  Measures measures() {
    return measures;
  }

  /** Fills the page. */
  void page() {
    try {
      fill();
    } finally {
      held.forEach(QueryMemory.Holding::close);
    }
  }

  private void fill() {
    Optional<PageCache.Leftover> left =
        at.results() == 0 ? Optional.empty() : leftovers.take(at, timer.startedAt());
    if (left.isPresent()
        && left.get() instanceof PageCache.Rest rest
        && rest.holdsAt(timer.startedAt(), basis)) {
      give(rest);
    } else if (!query.readsItems()) {
      recompute(visitor -> query.selection().each(row, result -> visitor.visit(result, deadline)));
    } else if (counted()) {
      recompute(this::count);
    } else if (query.grouping().isPresent()) {
      recompute(this::grouped);
    } else if (!ordering.isStored()) {
      recompute(new Sorting(query, ordering, wanted(), this::eachRow, () -> deadline)::each);
    } else {
      left.ifPresent(this::rememberGiven);
      stream();
    }
  }

  private void rememberGiven(PageCache.Leftover left) {
    if (left instanceof PageCache.Given(DistinctFilter given)) {
      distinctFilter = given;
    }
  }

  /** Gives what an earlier page has computed, but for what has expired since. */
  private void give(PageCache.Rest rest) {
    int given = 0;
    while (given < rest.results().size() && !results.full()) {
      PageCache.Result result = rest.results().get(given);
      if (result.live(timer.startedAt())) {
        results.add(result.json());
      }
      given++;
    }
    PageCache.Rest behind = rest.behind(given);
    if (!behind.results().isEmpty() || !rest.complete()) {
      QueryContinuation on = QueryContinuation.beginning(at.query()).behind(at.results() + given);
      next = Optional.of(on);
      leave(on, behind);
    }
  }

  private void leave(QueryContinuation on, PageCache.Leftover leftover) {
    boolean nothing = leftover instanceof PageCache.Rest rest && rest.results().isEmpty();
    if (!nothing) {
      leftovers.keep(on, leftover, timer.startedAt());
    }
  }

  /** Shows all results to a visitor, again. */
  @FunctionalInterface
  interface Recomputation {
    void each(Visitor visitor);
  }

  /** Is shown one result after the other. */
  @FunctionalInterface
  interface Visitor {
    /**
     * False when nothing more needs to be shown.
     *
     * @param deadline when the first of the items expires that it was made of
     */
    boolean visit(Value result, long deadline);
  }

  private void recompute(Recomputation all) {
    long[] place = {0};
    long first = Math.max(Math.max(at.results(), skip), query.offset());
    Ahead ahead = new Ahead();
    all.each(
        (result, until) -> {
          long index = place[0]++;
          if (index >= take) {
            return false;
          }
          if (index < first) {
            return true;
          }
          if (next.isEmpty() && isFull()) {
            next = Optional.of(QueryContinuation.beginning(at.query()).behind(index));
          }
          if (next.isPresent()) {
            return ahead.add(result, until);
          }
          results.add(result);
          return true;
        });
    boolean complete = !ahead.full && (place[0] >= take || place[0] < wanted());
    boolean together = query.grouping().isPresent();
    next.ifPresent(on -> leave(on, new PageCache.Rest(ahead.results, complete, together, basis)));
  }

  private boolean isFull() {
    return results.full() || (results.count() > 0 && limit.passed());
  }

  /** Results beyond the end of the page. */
  private static final class Ahead {
    private final List<PageCache.Result> results = new ArrayList<>();
    private long bytes;
    private boolean full;

    /** False when there is no room for it. */
    boolean add(Value result, long deadline) {
      PageCache.Result one =
          new PageCache.Result(Json.write(result).getBytes(StandardCharsets.UTF_8), deadline);
      full = bytes + one.bytes() > PageCache.BYTES_EACH || results.size() >= AHEAD;
      if (!full) {
        bytes += one.bytes();
        results.add(one);
      }
      return !full;
    }
  }

  /** True for a count of all items, which the engine knows. */
  private boolean counted() {
    return query.counts() && filter().equals(Filter.all()) && !range.hashed();
  }

  private void count(Visitor visitor) {
    long count = container.collection().usage().documents();
    Value value = count == (int) count ? Value.of((int) count) : Value.of(count);
    var grouping = query.grouping().orElseThrow();
    for (int i = 0; i < grouping.aggregates().size(); i++) {
      row.variable(grouping.firstSlot() + i, value);
    }
    measures = Measures.NONE;
    query.selection().show(row, result -> visitor.visit(result, deadline));
  }

  private void grouped(Visitor visitor) {
    Groups groups = new Groups(query.grouping().orElseThrow(), memory());
    long[] earliest = {Deadline.NEVER};
    DistinctFilter met = new DistinctFilter(memory());
    OptionalInt distinct = query.distinctSource();
    eachRow(
        inner -> {
          earliest[0] = Math.min(earliest[0], deadline);
          boolean repeated = distinct.isPresent() && !met.add(inner.variable(distinct.getAsInt()));
          return repeated || groups.add(inner);
        });
    Selection.Visitor all = result -> visitor.visit(result, earliest[0]);
    Selection.Visitor target =
        query.selection().distinct() ? new DistinctFilter(memory()).before(all) : all;
    groups.each(row, inner -> query.selection().show(inner, target));
  }

  private QueryMemory.Holding memory() {
    QueryMemory.Holding memory = QueryMemory.PROCESS.holding(MEMORY_BYTES);
    held.add(memory);
    return memory;
  }

  /** How many results are needed for this page, those before it and some ahead. */
  private long wanted() {
    long before = Math.max(Math.max(at.results(), skip), query.offset());
    return Math.min(take, before + results.most() + 1L + AHEAD);
  }

  /** Shows all rows of all items. */
  private void eachRow(Rows.Visitor visitor) {
    try (Cursor cursor = container.collection().query(engineQuery())) {
      eachRow(cursor, visitor);
    }
  }

  private void eachRow(Cursor cursor, Rows.Visitor visitor) {
    boolean more = true;
    while (more && cursor.next()) {
      deadline = cursor.deadline();
      more = !bind(cursor) || query.selection().rows().each(row, visitor);
    }
    measured(cursor);
  }

  /** Makes the item that the cursor is at the item of the row; false when it is out of range. */
  private boolean bind(Cursor cursor) {
    if (!range.holds(container, cursor.document())) {
      return false;
    }
    limit.item();
    bytes += cursor.document().length();
    row.document(
        CompiledQuery.ITEM,
        Value.of(
            query.decorated()
                ? ItemForm.of(container, cursor.current())
                : UnindexedFlag.stripped(cursor.document())));
    return true;
  }

  private void measured(Cursor cursor) {
    Optional<Explanation> way = explains ? Optional.of(cursor.explain()) : Optional.empty();
    measures = new Measures(cursor.documentsExamined(), bytes, cursor.charge(), way);
  }

  // the way that goes on

  private void stream() {
    boolean distinct = query.selection().distinct();
    if (distinct && distinctFilter == null) {
      distinctFilter = new DistinctFilter(memory());
      skip = at.results();
      at = QueryContinuation.beginning(at.query());
    }
    try (Cursor cursor = open()) {
      boolean counted = at.place().isMissing() && at.results() > 0;
      if (cursor.sorts() || counted) {
        recompute(visitor -> inOrder(cursor, visitor));
        return;
      }
      Step step = Step.ON;
      while (step == Step.ON) {
        step = advance(cursor);
      }
      if (step == Step.FULL) {
        next = at.results() >= take ? Optional.empty() : Optional.of(at);
      }
      measured(cursor);
    }
    DistinctFilter given = distinctFilter;
    if (given != null) {
      next.ifPresent(on -> leave(on, new PageCache.Given(given)));
    }
  }

  /** The results of items that come in the order of the query. */
  private void inOrder(Cursor cursor, Visitor visitor) {
    DistinctFilter given = distinctFilter;
    eachRow(
        cursor,
        inner ->
            query
                .selection()
                .show(
                    inner,
                    result ->
                        (given != null && !given.add(result)) || visitor.visit(result, deadline)));
  }

  private enum Step {
    ON,
    FULL,
    ENDED
  }

  private Cursor open() {
    Collection collection = container.collection();
    if (at.place().isMissing()) {
      return collection.query(engineQuery());
    }
    try {
      return collection.resume(engineQuery(), at.place().asBinary());
    } catch (EngineException lost) {
      if (lost.reason() == Reason.BAD_HINT) {
        throw QueryContinuation.refused();
      }
      throw lost;
    }
  }

  private Step advance(Cursor cursor) {
    if (at.results() >= take) {
      return Step.ENDED;
    }
    boolean full = results.full() || (limit.passed() && at.results() >= skip);
    if (full || query.fansOut()) {
      at = at.movedTo(Value.binary((byte) 0, cursor.place()));
    }
    if (full) {
      return isAtEnd(cursor) ? Step.ENDED : Step.FULL;
    }
    return switch (cursor.advance(LOOKS)) {
      case ENDED -> Step.ENDED;
      case RESTING -> Step.ON;
      case FOUND -> item(cursor);
    };
  }

  /** A short look ahead, so that most last pages are known to be the last. */
  private static boolean isAtEnd(Cursor cursor) {
    return cursor.advance(1) == Progress.ENDED;
  }

  private Step item(Cursor cursor) {
    if (query.wholeItem() && query.plain() && !range.hashed() && distinctFilter == null) {
      if (at.results() >= query.offset()) {
        results.add(ItemForm.json(container, cursor.current()));
      }
      bytes += cursor.document().length();
      return done(at.results() + 1);
    }
    return bind(cursor) ? rows(cursor) : done(at.results());
  }

  private Step done(long given) {
    at = at.behind(given);
    return Step.ON;
  }

  /** The results of one item; when the page is full before their end, the next begins with it. */
  private Step rows(Cursor cursor) {
    long birth = query.fansOut() ? cursor.current().birth() : 0;
    // another item may have come to this place since
    long before = at.birth() == birth ? at.rows() : 0;
    long[] place = {0, at.results()};
    boolean whole;
    try {
      whole =
          query
              .selection()
              .rows()
              .each(
                  row,
                  inner -> query.selection().show(inner, result -> take(result, place, before)));
    } catch (EvaluationException late) {
      boolean goesOn = query.fansOut() && place[0] > before;
      if (late.reason() != EvaluationException.Reason.TOO_LONG || !goesOn) {
        throw late;
      }
      whole = false;
    }
    if (whole || place[1] >= take) {
      return done(place[1]);
    }
    at = at.within(birth, place[0], place[1]);
    return Step.FULL;
  }

  /** Takes a result unless it was given before, or the page is full. */
  private boolean take(Value result, long[] place, long before) {
    if (place[0] >= before) {
      if (place[1] >= take || results.full()) {
        return false;
      }
      if (query.fansOut()) {
        limit.divisible();
      }
      DistinctFilter given = distinctFilter;
      boolean counts = given == null || given.add(result);
      if (counts && place[1]++ >= Math.max(query.offset(), skip)) {
        results.add(result);
      }
    }
    place[0]++;
    return true;
  }

  /** What is asked of the engine. */
  private Query engineQuery() {
    boolean ordered = ordering.isStored() && query.grouping().isEmpty();
    Query asked =
        new Query(filter(), Mode.SQL, ordered ? ordering.sorts() : List.of(), 0, Query.NO_LIMIT);
    // where each item is one result, a sort need not keep more than are wanted
    boolean oneEach =
        query.plain()
            && query.definite()
            && query.grouping().isEmpty()
            && !query.selection().distinct()
            && !range.hashed();
    return oneEach && ordered && at.place().isMissing() ? asked.limitedTo(wanted()) : asked;
  }

  private Filter filter() {
    List<Filter> all = new ArrayList<>(List.of(query.filter(), ordering.shown(), visible));
    List<FieldPath> paths = container.partitionKey().paths();
    for (int i = 0; i < range.prefix().size(); i++) {
      Value value = range.prefix().get(i);
      FieldPath path = paths.get(i);
      all.add(value.isMissing() ? DocumentKey.without(path) : Filter.equal(path, value));
    }
    return Filter.and(all);
  }
}

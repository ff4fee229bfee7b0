package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.item.ItemForm;
import dev.mayfly.cosmos.item.KeyRange;
import dev.mayfly.cosmos.sql.CompiledQuery;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Cursor.Progress;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Explanation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.sql.Groups;
import dev.mayfly.query.sql.Row;
import dev.mayfly.query.sql.Rows;
import dev.mayfly.query.sql.Seen;
import dev.mayfly.query.sql.Selection;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One page of a query in the making. For one thread.
 *
 * <p>There are two ways to a page. Where each item gives its results by itself, in the order the
 * engine gives items, the page goes on where the last one ended, and ends when it is full or has
 * taken long enough. Where results depend on all items (groups, distinct results, an order that
 * only we know) each page computes them again and leaves out those given before.
 */
final class Run {
  /** What groups and distinct results may hold. */
  static final long MEMORY_BYTES = 64 << 20;

  /** How long a page may take before it ends with what it has. */
  private static final long MILLIS = 5000;

  /** How much is looked at between two looks at the clock. */
  private static final long LOOKS = 5000;

  private static final OptionalLong MEMORY = OptionalLong.of(MEMORY_BYTES);

  private final Container container;
  private final CompiledQuery query;
  private final KeyRange range;
  private final Ordering ordering;
  private final Timer timer;
  private final Results results;
  private final Row row;
  private final long take;
  private Continuation at;
  private Optional<Continuation> next = Optional.empty();
  private Measures measures = Measures.NONE;

  Run(
      Container container,
      CompiledQuery query,
      KeyRange range,
      Continuation from,
      Results results,
      Timer timer) {
    this.container = container;
    this.query = query;
    this.range = range;
    this.ordering = Ordering.of(query, container);
    this.at = from;
    this.results = results;
    this.timer = timer;
    this.row = Row.of(query.slots(), timer.startedAt());
    long most = Math.min(query.top(), query.limit());
    this.take = most > Long.MAX_VALUE - query.offset() ? Long.MAX_VALUE : query.offset() + most;
  }

  /** Where the next page begins; empty when there is none. */
  Optional<Continuation> next() {
    return next;
  }

  /** What it has taken. */
  Measures measures() {
    return measures;
  }

  /** Fills the page. */
  void page() {
    if (!query.readsItems()) {
      recompute(visitor -> query.selection().each(row, visitor));
    } else if (counted()) {
      recompute(this::count);
    } else if (query.grouping().isPresent()) {
      recompute(this::grouped);
    } else if (!ordering.isStored()) {
      recompute(new Sorting(query, ordering, wanted(), this::eachRow)::each);
    } else if (query.selection().distinct()) {
      Seen seen = new Seen(MEMORY);
      recompute(visitor -> eachRow(inner -> query.selection().show(inner, seen.before(visitor))));
    } else {
      stream();
    }
  }

  /** Shows all results to a visitor, again. */
  @FunctionalInterface
  interface Recomputation {
    void each(Selection.Visitor visitor);
  }

  private void recompute(Recomputation all) {
    long[] place = {0};
    long given = at.results();
    all.each(
        result -> {
          long index = place[0]++;
          if (index >= take) {
            return false;
          }
          if (index < Math.max(given, query.offset())) {
            return true;
          }
          if (results.full() || (results.count() > 0 && timer.passed(MILLIS))) {
            next = Optional.of(Continuation.beginning(at.query()).behind(index));
            return false;
          }
          results.add(result);
          return true;
        });
  }

  /** True for a count of all items, which the engine knows. */
  private boolean counted() {
    return query.counts() && filter().equals(Filter.all()) && !range.hashed();
  }

  private void count(Selection.Visitor visitor) {
    long count = container.collection().usage().documents();
    Value value = count == (int) count ? Value.of((int) count) : Value.of(count);
    var grouping = query.grouping().orElseThrow();
    for (int i = 0; i < grouping.aggregates().size(); i++) {
      row.variable(grouping.firstSlot() + i, value);
    }
    measures = Measures.counted();
    query.selection().show(row, visitor);
  }

  private void grouped(Selection.Visitor visitor) {
    Groups groups = new Groups(query.grouping().orElseThrow(), MEMORY);
    eachRow(groups::add);
    Selection.Visitor target =
        query.selection().distinct() ? new Seen(MEMORY).before(visitor) : visitor;
    groups.each(row, inner -> query.selection().show(inner, target));
  }

  /** How many results are needed for this page, those before it and a look ahead. */
  private long wanted() {
    return Math.min(take, Math.max(at.results(), query.offset()) + results.most() + 1L);
  }

  /** Shows all rows of all items. */
  private void eachRow(Rows.Visitor visitor) {
    try (Cursor cursor = container.collection().query(engineQuery())) {
      boolean more = true;
      while (more && cursor.next()) {
        more = !bind(cursor) || query.selection().rows().each(row, visitor);
      }
      measured(cursor);
    }
  }

  /** Makes the item that the cursor is at the item of the row; false when it is out of range. */
  private boolean bind(Cursor cursor) {
    if (!range.holds(container, cursor.document())) {
      return false;
    }
    measures = measures.loaded(cursor.document().length());
    row.variable(
        CompiledQuery.ITEM,
        Value.of(query.decorated() ? ItemForm.of(container, cursor.current()) : cursor.document()));
    return true;
  }

  private void measured(Cursor cursor) {
    measures = measures.found(cursor.explain(), cursor.charge());
  }

  // the way that goes on

  private void stream() {
    try (Cursor cursor = open()) {
      boolean sorts = cursor.explain().sorts();
      Step step = Step.ON;
      while (step == Step.ON) {
        step = advance(cursor, sorts);
      }
      if (step == Step.FULL) {
        next = at.results() >= take ? Optional.empty() : Optional.of(at);
      }
      measured(cursor);
    }
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
        throw Continuation.refused();
      }
      throw lost;
    }
  }

  private Step advance(Cursor cursor, boolean sorts) {
    if (at.results() >= take) {
      return Step.ENDED;
    }
    boolean full = results.full() || (timer.passed(MILLIS) && !sorts);
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
    if (query.wholeItem() && query.plain() && !range.hashed()) {
      if (at.results() >= query.offset()) {
        results.add(ItemForm.json(container, cursor.current()));
      }
      measures = measures.loaded(cursor.document().length());
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
    boolean whole =
        query
            .selection()
            .rows()
            .each(
                row, inner -> query.selection().show(inner, result -> take(result, place, before)));
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
      if (place[1]++ >= query.offset()) {
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
    return oneEach && ordered ? asked.limitedTo(Math.max(0, take - at.results())) : asked;
  }

  private Filter filter() {
    List<Filter> all = new ArrayList<>(List.of(query.filter(), ordering.shown()));
    List<FieldPath> paths = container.partitionKey().paths();
    for (int i = 0; i < range.prefix().size(); i++) {
      Value value = range.prefix().get(i);
      FieldPath path = paths.get(i);
      all.add(value.isMissing() ? new Filter.Exists(path, false) : Filter.equal(path, value));
    }
    return Filter.and(all);
  }

  /** How the engine finds the items. */
  Optional<Explanation> explanation() {
    return measures.explanation();
  }
}

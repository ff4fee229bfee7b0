package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.item.ItemForm;
import dev.mayfly.cosmos.item.UnindexedFlag;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Explanation;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.Sort;
import dev.mayfly.sql.Row;
import dev.mayfly.sql.Rows;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the items of a page from the engine and binds them to the row that expressions evaluate.
 * Owns the row, the memory of the page and its measures. For one thread.
 */
final class ItemScan implements AutoCloseable {
  /** Limit for groups, sorted results and distinct results, each. */
  static final long MEMORY_BYTES = 64 << 20;

  private final PageRequest page;
  private final CompiledQuery query;
  private final Ordering ordering;
  private final Row row;
  private final List<QueryMemory.Holding> reserved = new ArrayList<>();
  private long deadline = Deadline.NEVER;
  private long bytes;
  private Measures measures = Measures.NONE;

  /** Whether the item that is bound counts as read already. */
  private boolean touched;

  ItemScan(PageRequest page) {
    this.page = page;
    this.query = page.query();
    this.ordering = page.ordering();
    this.row = Row.of(query.slots(), page.now());
  }

  /** Returns the row that items are bound to. */
  Row row() {
    return row;
  }

  /** Returns the deadline of the item that is bound; {@link Deadline#NEVER} before the first. */
  long deadline() {
    return deadline;
  }

  /** Returns the query metrics so far. */
  Measures measures() {
    return measures;
  }

  /** Reserves memory until the page is complete. */
  QueryMemory.Holding memory() {
    QueryMemory.Holding memory = QueryMemory.PROCESS.holding(MEMORY_BYTES);
    reserved.add(memory);
    return memory;
  }

  /** Whether the query reads every item of the container. */
  boolean readsAll() {
    return filter().equals(Filter.all()) && !page.range().hashed();
  }

  /** Passes the rows of all items to a visitor. */
  void eachRow(Rows.Visitor visitor) {
    try (Cursor cursor = page.container().collection().query(page.operation(), engineQuery())) {
      eachRow(cursor, visitor);
    }
  }

  /** Passes the rows of the items of a cursor to a visitor. */
  void eachRow(Cursor cursor, Rows.Visitor visitor) {
    boolean more = true;
    while (more && cursor.next()) {
      more = !bind(cursor) || query.selection().rows().each(row, touching(cursor, visitor));
    }
    measure(cursor);
  }

  /** Groups and aggregates return no items: these do not count as read. */
  private Rows.Visitor touching(Cursor cursor, Rows.Visitor visitor) {
    return query.grouping().isPresent()
        ? visitor
        : inner -> {
          touch(cursor);
          return visitor.visit(inner);
        };
  }

  /** Counts the item that is bound as read, for sliding expiry: once. */
  void touch(Cursor cursor) {
    if (!touched) {
      touched = true;
      cursor.touch();
    }
  }

  /** Binds the current item of a cursor to the row; returns false if it is out of range. */
  boolean bind(Cursor cursor) {
    deadline = cursor.deadline();
    touched = false;
    if (!page.range().includes(page.container(), cursor.document())) {
      return false;
    }
    page.limit().item();
    count(cursor);
    row.document(
        CompiledQuery.ITEM,
        Value.of(
            query.decorated()
                ? ItemForm.of(page.container(), cursor.current())
                : UnindexedFlag.stripped(cursor.document())));
    return true;
  }

  /** Adds the size of the current item to the bytes read. */
  void count(Cursor cursor) {
    bytes += cursor.document().length();
  }

  /** Records the cost of a cursor, after its last item. */
  void measure(Cursor cursor) {
    Optional<Explanation> explanation =
        page.explains() ? Optional.of(cursor.explain()) : Optional.empty();
    measures = new Measures(cursor.documentsExamined(), bytes, cursor.charge(), explanation);
  }

  /**
   * Opens a cursor in the order of the query.
   *
   * @param place where to resume; missing for the beginning
   * @param needed how many results are needed if the scan starts at the beginning
   */
  Cursor open(Value place, long needed) {
    Collection collection = page.container().collection();
    if (place.isMissing()) {
      return collection.query(
          page.operation(), isOneResultPerItem() ? engineQuery().limitedTo(needed) : engineQuery());
    }
    try {
      return collection.resume(page.operation(), engineQuery(), place.asBinary());
    } catch (EngineException failure) {
      if (failure.reason() == Reason.BAD_HINT) {
        throw QueryContinuation.refused();
      }
      throw failure;
    }
  }

  /** Whether each item yields one result: a sort then keeps only as many items as are needed. */
  private boolean isOneResultPerItem() {
    return query.plain()
        && query.definite()
        && !query.selection().distinct()
        && !page.range().hashed();
  }

  private Query engineQuery() {
    boolean ordered = ordering.isStored() && query.grouping().isEmpty();
    List<Sort> sorts = ordered ? ordering.sorts() : List.of();
    // not all items that it reads are returned: conditions are checked here, too
    return new Query(filter(), Mode.SQL, sorts, 0, Query.NO_LIMIT).withoutTouch();
  }

  private Filter filter() {
    List<Filter> all =
        new ArrayList<>(List.of(query.filter(), ordering.included(), page.visible()));
    List<FieldPath> paths = page.container().partitionKey().paths();
    List<Value> prefix = page.range().prefix();
    for (int i = 0; i < prefix.size(); i++) {
      Value value = prefix.get(i);
      FieldPath path = paths.get(i);
      all.add(value.isMissing() ? DocumentKey.without(path) : Filter.equal(path, value));
    }
    return Filter.and(all);
  }

  @Override
  public void close() {
    reserved.forEach(QueryMemory.Holding::close);
  }
}

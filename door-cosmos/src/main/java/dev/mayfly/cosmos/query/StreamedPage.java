package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.item.ItemForm;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Cursor.Progress;
import dev.mayfly.sql.DistinctFilter;
import dev.mayfly.sql.EvaluationException;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.Value;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Page of a query whose results follow from one item each, in the order in which the engine returns
 * items.
 *
 * <p>Resumes at the place of the continuation token and ends when the page is full or its time has
 * passed. If the engine has to sort, the page is {@linkplain ComputedPage computed} instead. For
 * one thread.
 */
final class StreamedPage {
  /** Maximum number of items that are examined between two checks of the time limit. */
  private static final long EXAMINED_PER_CHECK = 5000;

  private final PageRequest page;
  private final CompiledQuery query;
  private final ItemScan scan;
  private final Results results;
  private final long end;
  private final @Nullable DistinctFilter distinct;

  /** Number of results of earlier pages that are computed again, to fill the distinct filter. */
  private final long skip;

  private QueryContinuation at;

  /**
   * @param returned distinct results of earlier pages; empty if they are not cached
   */
  StreamedPage(
      PageRequest page, ItemScan scan, Results results, Optional<DistinctFilter> returned) {
    this.page = page;
    this.query = page.query();
    this.scan = scan;
    this.results = results;
    this.end = page.end();
    boolean again = query.selection().distinct() && returned.isEmpty();
    this.distinct = again ? new DistinctFilter(scan.memory()) : returned.orElse(null);
    this.skip = again ? page.from().results() : 0;
    this.at = again ? page.from().restartAfter(0) : page.from();
  }

  /** Fills the page and returns where the next one begins; empty if this is the last. */
  Optional<QueryContinuation> fill() {
    Optional<QueryContinuation> next;
    try (Cursor cursor = scan.open(at.place(), ComputedPage.needed(page, results))) {
      boolean counted = at.place().isMissing() && at.results() > 0;
      if (cursor.sorts() || counted) {
        return new ComputedPage(page, results).fill(visitor -> visitAll(cursor, visitor));
      }
      Step step = Step.CONTINUE;
      while (step == Step.CONTINUE) {
        step = advance(cursor);
      }
      next = step == Step.FULL && at.results() < end ? Optional.of(at) : Optional.empty();
      scan.measure(cursor);
    }
    DistinctFilter returned = distinct;
    if (returned != null) {
      next.ifPresent(
          token -> page.cache().put(token, new PageCache.Returned(returned), page.now()));
    }
    return next;
  }

  private void visitAll(Cursor cursor, ResultSource.Visitor visitor) {
    scan.eachRow(
        cursor,
        inner ->
            query
                .selection()
                .project(
                    inner, result -> !isNew(result) || visitor.visit(result, scan.deadline())));
  }

  private boolean isNew(Value result) {
    DistinctFilter returned = distinct;
    return returned == null || returned.add(result);
  }

  private enum Step {
    CONTINUE,
    FULL,
    ENDED
  }

  private Step advance(Cursor cursor) {
    if (at.results() >= end) {
      return Step.ENDED;
    }
    boolean full = results.full() || (page.limit().passed() && at.results() >= skip);
    if (full || query.fansOut()) {
      at = at.movedTo(Value.binary((byte) 0, cursor.place()));
    }
    if (full) {
      return isAtEnd(cursor) ? Step.ENDED : Step.FULL;
    }
    return switch (cursor.advance(EXAMINED_PER_CHECK)) {
      case ENDED -> Step.ENDED;
      case RESTING -> Step.CONTINUE;
      case FOUND -> item(cursor);
    };
  }

  /** Examines one more item, so that the last page usually has no continuation token. */
  private static boolean isAtEnd(Cursor cursor) {
    return cursor.advance(1) == Progress.ENDED;
  }

  private Step item(Cursor cursor) {
    if (query.wholeItem() && query.plain() && !page.range().hashed() && distinct == null) {
      if (at.results() >= query.offset()) {
        cursor.touch();
        results.add(ItemForm.json(page.container(), cursor.current()));
      }
      scan.count(cursor);
      return done(at.results() + 1);
    }
    return scan.bind(cursor) ? rows(cursor) : done(at.results());
  }

  private Step done(long count) {
    at = at.afterItem(count);
    return Step.CONTINUE;
  }

  /** Adds the results of one item; if the page is full before their end, the next resumes there. */
  private Step rows(Cursor cursor) {
    long birth = query.fansOut() ? cursor.current().birth() : 0;
    // meanwhile another item may be at this position
    long before = at.birth() == birth ? at.rows() : 0;
    ItemRows rows = new ItemRows(cursor, before, at.results());
    boolean whole;
    try {
      whole =
          query
              .selection()
              .rows()
              .each(scan.row(), inner -> query.selection().project(inner, rows::add));
    } catch (EvaluationException failure) {
      boolean resumable = query.fansOut() && rows.count > before;
      if (failure.reason() != EvaluationException.Reason.TOO_LONG || !resumable) {
        throw failure;
      }
      whole = false;
    }
    if (whole || rows.total >= end) {
      return done(rows.total);
    }
    at = at.within(birth, rows.count, rows.total);
    return Step.FULL;
  }

  /** Rows of one item: how many were seen, and the number of results so far. */
  private final class ItemRows {
    private final Cursor cursor;
    private final long before;
    private long count;
    private long total;

    ItemRows(Cursor cursor, long before, long total) {
      this.cursor = cursor;
      this.before = before;
      this.total = total;
    }

    /** Adds a result unless an earlier page returned it; false if the page is full. */
    boolean add(Value result) {
      if (count >= before) {
        if (total >= end || results.full()) {
          return false;
        }
        if (query.fansOut()) {
          page.limit().divisible();
        }
        if (isNew(result) && total++ >= Math.max(query.offset(), skip)) {
          scan.touch(cursor);
          results.add(result);
        }
      }
      count++;
      return true;
    }
  }
}

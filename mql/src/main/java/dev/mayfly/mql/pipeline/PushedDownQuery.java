package dev.mayfly.mql.pipeline;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.RootFields;
import dev.mayfly.query.Sort;
import java.util.List;

/**
 * Query that the first stages of a pipeline become, and the remaining stages.
 *
 * @param left the stages that process the documents of the query
 */
record PushedDownQuery(Query query, List<Stage> left) {
  PushedDownQuery {
    Query reading = query.wanting(reads(left));
    query = hasAnyOrder(query, left) ? reading.inAnyOrder() : reading;
  }

  /** Returns the query without an order: a sort is left to the pipeline. */
  static PushedDownQuery unordered(List<Stage> stages) {
    return of(stages, false);
  }

  /** Returns the query with the order of a leading sort, if there is one. */
  static PushedDownQuery ordered(List<Stage> stages) {
    return of(stages, true);
  }

  private static PushedDownQuery of(List<Stage> stages, boolean ordered) {
    Query query = Query.of(Filter.all(), Mode.MATCH);
    int at = 0;
    if (at < stages.size() && stages.get(at) instanceof Stage.Match(Filter filter)) {
      query = Query.of(filter, Mode.MATCH);
      at++;
    }
    if (at < stages.size() && stages.get(at) instanceof Stage.Order(List<Sort> keys, long limit)) {
      if (!ordered) {
        return new PushedDownQuery(query, stages.subList(at, stages.size()));
      }
      query = query.orderedBy(keys.toArray(Sort[]::new)).limitedTo(limit);
      at++;
    }
    return stretch(query, stages.subList(at, stages.size()));
  }

  private static PushedDownQuery stretch(Query whole, List<Stage> stages) {
    Query query = whole;
    int at = 0;
    for (; at < stages.size(); at++) {
      switch (stages.get(at)) {
        case Stage.Skip(long count) -> query = skip(query, count);
        case Stage.Limit(long count) -> query = query.limitedTo(Math.min(query.limit(), count));
        default -> {
          return new PushedDownQuery(query, stages.subList(at, stages.size()));
        }
      }
    }
    return new PushedDownQuery(query, List.of());
  }

  private static Query skip(Query query, long count) {
    if (query.skip() > Query.NO_LIMIT - count) {
      return query.limitedTo(0);
    }
    Query later = query.skipping(query.skip() + count);
    return query.limit() == Query.NO_LIMIT
        ? later
        : later.limitedTo(Math.max(0, query.limit() - count));
  }

  /** Returns whether the result does not depend on the order of the documents. */
  private static boolean hasAnyOrder(Query query, List<Stage> left) {
    boolean all = query.skip() == 0 && query.limit() == Query.NO_LIMIT && query.order().isEmpty();
    for (Stage stage : all ? left : List.<Stage>of()) {
      switch (stage) {
        case Stage.Match _, Stage.Unwind _ -> {
          continue;
        }
        case Stage.Count _ -> {
          return true;
        }
        case Stage.Group group -> {
          return group.keepsNothing();
        }
        default -> {
          return false;
        }
      }
    }
    return false;
  }

  /** Returns the fields that these stages read; all if documents reach the result unchanged. */
  private static RootFields reads(List<Stage> stages) {
    RootFields fields = RootFields.NONE;
    for (Stage stage : stages) {
      switch (stage) {
        case Stage.Match(Filter filter) -> fields = fields.and(RootFields.of(filter));
        case Stage.Order(List<Sort> keys, _) -> fields = fields.and(RootFields.ofKeys(keys));
        case Stage.Unwind unwind -> fields = fields.and(RootFields.of(unwind.path()));
        case Stage.Skip _, Stage.Limit _, Stage.Sample _ -> {
          continue;
        }
        case Stage.Group group -> {
          return fields.and(group.reads());
        }
        case Stage.Buckets buckets -> {
          return fields.and(buckets.reads());
        }
        case Stage.Count _ -> {
          return fields;
        }
        default -> {
          return RootFields.ALL;
        }
      }
    }
    return RootFields.ALL;
  }
}

package dev.mayfly.query;

import java.util.List;

/**
 * Which documents are asked for, in which order, and which stretch of them.
 *
 * @param order the keys that count, most important first; empty when any order will do
 * @param skip how many of the ordered documents to leave out
 * @param limit how many to give after those; {@link #NO_LIMIT} for all
 * @param hint the way to take, whatever else there is
 * @param disk whether a sort that does not fit into memory may go on in files, where there is a
 *     place for them
 * @param wanted the fields that are made use of, beside those of the filter and the order: others
 *     may be left out of the documents
 * @param scattered whether documents may come in another order each time, if no order is asked for;
 *     who reads such a query cannot go on with it later
 * @param need which of the documents are needed: others may be left out
 */
public record Query(
    Filter filter,
    Mode mode,
    List<Sort> order,
    long skip,
    long limit,
    Hint hint,
    boolean disk,
    RootFields wanted,
    boolean scattered,
    Distinctness need) {
  /** A limit that is never reached. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  public Query {
    order = List.copyOf(order);
    if (skip < 0 || limit < 0) {
      throw new IllegalArgumentException("skip and limit cannot be negative");
    }
  }

  /** A query that may take any way. */
  public Query(Filter filter, Mode mode, List<Sort> order, long skip, long limit) {
    this(
        filter, mode, order, skip, limit, Hint.NONE, true, RootFields.ALL, false, Distinctness.ALL);
  }

  /** Everything that passes the filter, in any order. */
  public static Query of(Filter filter, Mode mode) {
    return new Query(filter, mode, List.of(), 0, NO_LIMIT);
  }

  /** The same documents in this order. */
  public Query orderedBy(Sort... keys) {
    return new Query(filter, mode, List.of(keys), skip, limit, hint, disk, wanted, scattered, need);
  }

  /** At most so many of them. */
  public Query limitedTo(long most) {
    return new Query(filter, mode, order, skip, most, hint, disk, wanted, scattered, need);
  }

  /** Without the first so many. */
  public Query skipping(long first) {
    return new Query(filter, mode, order, first, limit, hint, disk, wanted, scattered, need);
  }

  /** The same documents by this way. */
  public Query withHint(Hint way) {
    return new Query(filter, mode, order, skip, limit, way, disk, wanted, scattered, need);
  }

  /** The same documents, sorted in memory or not at all. */
  public Query withoutDisk() {
    return new Query(filter, mode, order, skip, limit, hint, false, wanted, scattered, need);
  }

  /** The same documents, of which only these fields are made use of. */
  public Query wanting(RootFields fields) {
    return new Query(filter, mode, order, skip, limit, hint, disk, fields, scattered, need);
  }

  /** The same documents, as they come. */
  public Query inAnyOrder() {
    return new Query(filter, mode, order, skip, limit, hint, disk, wanted, true, need);
  }

  /** The same documents, of which only these are needed. */
  public Query needing(Distinctness those) {
    return new Query(filter, mode, order, skip, limit, hint, disk, wanted, scattered, those);
  }

  /** All fields that are looked at: by the filter, for the order, and by who asks. */
  public RootFields reads() {
    return wanted.all() ? wanted : wanted.and(RootFields.of(filter)).and(RootFields.ofKeys(order));
  }
}

package dev.mayfly.query;

import java.util.List;

/**
 * Query of one collection: filter, order, skip and limit.
 *
 * @param order sort keys, most significant first; empty for any order
 * @param skip number of ordered documents to skip
 * @param limit maximum number of documents after that; {@link #NO_LIMIT} for all
 * @param hint the access path to use
 * @param disk whether a sort that exceeds memory may use files, if there is a directory for them
 * @param wanted the fields that the caller reads, besides those of the filter and the order: others
 *     may be left out of the documents
 * @param scattered whether documents may come in a different order each time if no order is given;
 *     the caller cannot resume such a query later
 * @param need which of the documents are needed: others may be left out
 * @param touches whether the documents count as read, for sliding expiry; false for a search of
 *     documents to write, and for a caller that decides for each document
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
    Distinctness need,
    boolean touches) {
  /** No limit. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  public Query {
    order = List.copyOf(order);
    if (skip < 0 || limit < 0) {
      throw new IllegalArgumentException("skip and limit cannot be negative");
    }
  }

  /** Creates a query without a hint. */
  public Query(Filter filter, Mode mode, List<Sort> order, long skip, long limit) {
    this(
        filter,
        mode,
        order,
        skip,
        limit,
        Hint.NONE,
        true,
        RootFields.ALL,
        false,
        Distinctness.ALL,
        true);
  }

  /** Returns all documents that match the filter, in any order. */
  public static Query of(Filter filter, Mode mode) {
    return new Query(filter, mode, List.of(), 0, NO_LIMIT);
  }

  /** Returns this query with a sort order. */
  public Query orderedBy(Sort... keys) {
    return new Query(
        filter, mode, List.of(keys), skip, limit, hint, disk, wanted, scattered, need, touches);
  }

  /** Returns this query with a limit. */
  public Query limitedTo(long most) {
    return new Query(filter, mode, order, skip, most, hint, disk, wanted, scattered, need, touches);
  }

  /** Returns this query with a number of documents to skip. */
  public Query skipping(long first) {
    return new Query(
        filter, mode, order, first, limit, hint, disk, wanted, scattered, need, touches);
  }

  /** Returns this query with a hint. */
  public Query withHint(Hint way) {
    return new Query(filter, mode, order, skip, limit, way, disk, wanted, scattered, need, touches);
  }

  /** Returns this query without sorts on disk. */
  public Query withoutDisk() {
    return new Query(
        filter, mode, order, skip, limit, hint, false, wanted, scattered, need, touches);
  }

  /** Returns this query with the fields that the caller reads. */
  public Query wanting(RootFields fields) {
    return new Query(
        filter, mode, order, skip, limit, hint, disk, fields, scattered, need, touches);
  }

  /** Returns this query with documents in any order. */
  public Query inAnyOrder() {
    return new Query(filter, mode, order, skip, limit, hint, disk, wanted, true, need, touches);
  }

  /**
   * Returns this query without order, skip and limit, for a caller that sorts the documents: they
   * contain the sort keys.
   */
  public Query unordered() {
    return new Query(
        filter, mode, List.of(), 0, NO_LIMIT, hint, disk, reads(), scattered, need, touches);
  }

  /** Returns this query with the documents that are needed. */
  public Query needing(Distinctness those) {
    return new Query(
        filter, mode, order, skip, limit, hint, disk, wanted, scattered, those, touches);
  }

  /** Returns this query for documents that do not count as read, for sliding expiry. */
  public Query withoutTouch() {
    return new Query(filter, mode, order, skip, limit, hint, disk, wanted, scattered, need, false);
  }

  /** Returns all fields that the filter, the order and the caller read. */
  public RootFields reads() {
    return wanted.all() ? wanted : wanted.and(RootFields.of(filter)).and(RootFields.ofKeys(order));
  }
}

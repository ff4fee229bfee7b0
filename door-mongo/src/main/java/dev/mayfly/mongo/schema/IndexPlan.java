package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.IndexConflicts;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.IndexRequest;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/**
 * Indexes that a {@code createIndexes} command has to create.
 *
 * @param missing the requested indexes that do not exist yet
 */
record IndexPlan(List<IndexRequest> missing) {
  private static final int MAX_INDEXES = 64;

  IndexPlan {
    missing = List.copyOf(missing);
  }

  /**
   * Parses index specifications and finds those that are new. The checks run in the order of
   * MongoDB.
   *
   * @param existing the indexes of the collection
   * @param collation the default collation of the collection
   * @throws CommandException if an index cannot be created
   */
  static IndexPlan of(
      Namespace namespace, List<Document> raw, List<IndexForm> existing, Document collation) {
    if (raw.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Must specify at least one index to create");
    }
    List<IndexRequest> requested = new ArrayList<>();
    raw.forEach(description -> requested.add(IndexRequest.of(description, collation)));
    List<IndexRequest> missing = missing(requested, existing);
    missing.forEach(IndexRequest::checkNew);
    missing.forEach(IndexRequest::checkExpiry);
    checkNumber(namespace, existing, missing);
    return new IndexPlan(missing);
  }

  private static List<IndexRequest> missing(
      List<IndexRequest> requested, List<IndexForm> existing) {
    List<IndexRequest> missing = new ArrayList<>();
    List<IndexForm> before = new ArrayList<>();
    for (IndexRequest request : requested) {
      if (IndexConflicts.exists(request.form(), before)) {
        if (!request.form().isId()) {
          throw new CommandException(
              ErrorCode.INDEX_ALREADY_EXISTS,
              "Identical index already exists: " + request.form().name());
        }
      } else if (!IndexConflicts.exists(request.form(), existing)) {
        missing.add(request);
      }
      before.add(request.form());
    }
    return missing;
  }

  private static void checkNumber(
      Namespace namespace, List<IndexForm> existing, List<IndexRequest> missing) {
    if (existing.size() + missing.size() > MAX_INDEXES && !missing.isEmpty()) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX,
          "add index fails, too many indexes for "
              + namespace
              + " key:"
              + ShellText.of(missing.getLast().form().key()));
    }
  }

  /** Whether one of the new indexes is a TTL index, which can expire documents. */
  boolean expires() {
    return missing.stream().anyMatch(request -> request.form().expireAfterSeconds().isPresent());
  }

  /**
   * Returns the spec with the new indexes, except those that another client has created meanwhile.
   */
  CollectionSpec added(CollectionSpec spec) {
    CollectionSpec changed = spec;
    for (IndexRequest request : missing) {
      if (!IndexConflicts.exists(request.form(), Indexes.of(changed))) {
        changed = Indexes.added(changed, request.created());
      }
    }
    return changed;
  }

  /** Returns the spec without the new indexes, if one of them cannot be built. */
  CollectionSpec withdrawn(CollectionSpec spec) {
    CollectionSpec changed = spec;
    for (IndexRequest request : missing) {
      changed = Indexes.dropped(changed, request.form());
    }
    return changed;
  }
}

package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.collection.DuplicateKey;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Options;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies a collection into a new capped collection, in natural order. If not all documents fit, the
 * first ones are removed again, as in every capped collection. Options are copied, indexes are not.
 */
final class CappedCopy {
  private static final int BATCH = 500;

  private CappedCopy() {}

  /**
   * Creates the copy. If the copy fails or the operation is interrupted, the new collection is
   * dropped.
   */
  static void create(Request request, Engine engine, Collection source, Namespace to, long bytes) {
    Collection target = engine.create(to, capped(source.spec(), bytes));
    try {
      copy(request, source, target);
    } catch (RuntimeException failure) {
      engine.drop(to);
      throw failure;
    }
  }

  private static CollectionSpec capped(CollectionSpec spec, long bytes) {
    if (!Options.of(spec).clustered().isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "a clustered collection cannot be capped");
    }
    CollectionSpec plain = spec;
    for (IndexForm index : Indexes.of(spec)) {
      if (!index.isId()) {
        plain = Indexes.dropped(plain, index);
      }
    }
    return plain.withCap(bytes, Cap.documents(0));
  }

  private static void copy(Request request, Collection source, Collection target) {
    List<Write> batch = new ArrayList<>();
    try (Cursor cursor = source.query(Query.of(Filter.all(), Mode.MATCH).withoutTouch())) {
      while (cursor.next()) {
        request.check();
        batch.add(new Write.Insert(cursor.document()));
        if (batch.size() == BATCH) {
          write(batch, target);
        }
      }
    }
    if (!batch.isEmpty()) {
      write(batch, target);
    }
  }

  private static void write(List<Write> batch, Collection target) {
    for (WriteOutcome outcome :
        target.write(batch, Grouping.ORDERED, Durability.LOGGED).outcomes()) {
      if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
        throw DuplicateKey.translate(failure, target.namespace(), target.spec());
      }
    }
    batch.clear();
  }
}

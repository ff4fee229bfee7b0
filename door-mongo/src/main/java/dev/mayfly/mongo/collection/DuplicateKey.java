package dev.mayfly.mongo.collection;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Failures;
import dev.mayfly.query.Shown;
import dev.mayfly.value.Document;

/** Tells clients whose key another document holds. */
public final class DuplicateKey {
  private DuplicateKey() {}

  /** What a client is told of a failure of a write to a collection, duplicates among them. */
  public static CommandException translate(
      RuntimeException failure, Namespace namespace, CollectionSpec spec) {
    boolean duplicate =
        failure instanceof EngineException refused
            && (refused.reason() == EngineException.Reason.DUPLICATE_ID
                || refused.reason() == EngineException.Reason.DUPLICATE_KEY);
    return duplicate ? of((EngineException) failure, namespace, spec) : Failures.translate(failure);
  }

  /** What a client is told of a duplicate: the index, its pattern and the values. */
  public static CommandException of(
      EngineException failure, Namespace namespace, CollectionSpec spec) {
    IndexForm index =
        failure.reason() == EngineException.Reason.DUPLICATE_ID
            ? Indexes.of(spec).getFirst()
            : Indexes.named(spec, failure.detail()).orElse(IndexForm.ID);
    return of(namespace, index.name(), index.key(), failure.key());
  }

  static CommandException of(Namespace namespace, String index, Document pattern, Document key) {
    return new CommandException(
            ErrorCode.DUPLICATE_KEY,
            "E11000 duplicate key error collection: "
                + namespace
                + " index: "
                + index
                + " dup key: "
                + Shown.of(key))
        .with(Document.writer().put("keyPattern", pattern).put("keyValue", key).build());
  }
}

package dev.mayfly.mongo.collection;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.Failures;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Duplicate key errors (E11000) for clients. */
public final class DuplicateKey {
  private DuplicateKey() {}

  /** Translates the failure of a write to a collection. A duplicate key becomes E11000. */
  public static CommandException translate(
      RuntimeException failure, Namespace namespace, CollectionSpec spec) {
    boolean duplicate =
        failure instanceof EngineException refused
            && (refused.reason() == EngineException.Reason.DUPLICATE_ID
                || refused.reason() == EngineException.Reason.DUPLICATE_KEY);
    return duplicate ? of((EngineException) failure, namespace, spec) : Failures.translate(failure);
  }

  /** Returns the error for a duplicate key: the index, its key pattern and the values. */
  public static CommandException of(
      EngineException failure, Namespace namespace, CollectionSpec spec) {
    IndexForm index =
        failure.reason() == EngineException.Reason.DUPLICATE_ID
            ? Indexes.of(spec).getFirst()
            : Indexes.named(spec, failure.detail()).orElse(IndexForm.ID);
    return of(namespace, index.name(), index.key(), failure.key());
  }

  /**
   * Returns the error for a document that has the same values as an existing one in fields that
   * identify a document. Names the index on exactly these fields, or else the {@code _id} index.
   *
   * @param paths the identifying fields
   */
  public static CommandException of(
      Document existing, List<FieldPath> paths, Namespace namespace, CollectionSpec spec) {
    Set<String> names = new HashSet<>();
    DocumentWriter key = Document.writer();
    for (FieldPath path : paths) {
      names.add(path.toString());
      key.put(path.toString(), existing.at(path));
    }
    IndexForm index =
        Indexes.of(spec).stream()
            .filter(one -> names(one.key()).equals(names))
            .findFirst()
            .orElse(IndexForm.ID);
    return of(namespace, index.name(), index.key(), key.build());
  }

  private static Set<String> names(Document pattern) {
    Set<String> names = new HashSet<>();
    Fields fields = pattern.fields();
    while (fields.next()) {
      names.add(fields.name());
    }
    return names;
  }

  static CommandException of(Namespace namespace, String index, Document pattern, Document key) {
    return new CommandException(
            ErrorCode.DUPLICATE_KEY,
            "E11000 duplicate key error collection: "
                + namespace
                + " index: "
                + index
                + " dup key: "
                + ShellText.of(key))
        .with(Document.writer().put("keyPattern", pattern).put("keyValue", key).build());
  }
}

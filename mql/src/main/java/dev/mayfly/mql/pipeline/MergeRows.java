package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writer of {@code $merge}: combines each document with the existing one. */
final class MergeRows {
  private static final int DUPLICATE = 11000;
  private static final int NO_MATCH = 13113;
  private static final int ID_CHANGED = 66;
  private static final int NOT_UNIQUE = 51183;
  private static final int NO_KEY = 51132;
  private static final int ARRAY_KEY = 51185;
  private static final FieldPath ID = FieldPath.of("_id");

  private final Stage.Merge stage;
  private final Execution execution;
  private final Target into;

  MergeRows(Stage.Merge stage, Execution execution) {
    this.stage = stage;
    this.execution = execution;
    this.into = execution.resolve(stage.into());
  }

  void write(Rows input) {
    if (!execution.collections().unique(into, stage.on(), execution.collation())) {
      throw new QueryException(
          Reason.BAD_VALUE,
          NOT_UNIQUE,
          "Cannot find index to verify that join fields will be unique");
    }
    while (input.next()) {
      Document document = withId(input.current());
      execution
          .collections()
          .change(
              into,
              which(document),
              before -> merged(before, document).map(Intermediate::storable));
    }
  }

  private Document withId(Document document) {
    boolean missing = stage.on().contains(ID) && document.field("_id").isMissing();
    return missing ? first("_id", execution.collections().newId(), document) : document;
  }

  private Filter which(Document document) {
    List<Filter> equal = new ArrayList<>();
    for (FieldPath path : stage.on()) {
      equal.add(Filter.equal(path, keyAt(document, path)));
    }
    return Filter.and(equal);
  }

  private static Value keyAt(Document document, FieldPath path) {
    Value value = Value.of(document);
    for (int i = 0; i < path.length() && !value.isMissing(); i++) {
      refuseArray(value);
      value = value.isDocument() ? value.asDocument().field(path.stepUtf8(i)) : Value.MISSING;
    }
    refuseArray(value);
    if (value.isMissing() || value.isNull()) {
      throw new QueryException(
          Reason.BAD_VALUE,
          NO_KEY,
          "$merge write error: 'on' field cannot be missing, null, undefined or an array");
    }
    return value;
  }

  private static void refuseArray(Value value) {
    if (value.isArray()) {
      throw new QueryException(
          Reason.BAD_VALUE, ARRAY_KEY, "$merge write error: 'on' field cannot be an array");
    }
  }

  private Optional<Document> merged(Optional<Document> before, Document document) {
    return before.isEmpty() ? unmatched(document) : matched(before.get(), document);
  }

  private Optional<Document> unmatched(Document document) {
    return switch (stage.notMatched()) {
      case INSERT ->
          Optional.of(
              document.field("_id").isMissing()
                  ? first("_id", execution.collections().newId(), document)
                  : document);
      case DISCARD -> Optional.empty();
      case FAIL ->
          throw new QueryException(
              Reason.BAD_VALUE,
              NO_MATCH,
              "$merge could not find a matching document in the target collection for at least"
                  + " one document in the source collection");
    };
  }

  private Optional<Document> matched(Document before, Document document) {
    return switch (stage.matched()) {
      case Stage.WhenMatched.Keep _ -> Optional.empty();
      case Stage.WhenMatched.Fail _ ->
          throw new QueryException(
              Reason.BAD_VALUE,
              DUPLICATE,
              "E11000 duplicate key error collection: "
                  + into
                  + " found an existing document with the same values for the 'on' fields");
      case Stage.WhenMatched.Replace _ -> Optional.of(sameId(before, document));
      case Stage.WhenMatched.Combine _ -> Optional.of(sameId(before, combine(before, document)));
      case Stage.WhenMatched.Change change ->
          Optional.of(sameId(before, change(change, before, document)));
    };
  }

  private Document change(Stage.WhenMatched.Change change, Document before, Document document) {
    Scope scope = execution.scope();
    List<Value> values =
        change.variables().stream()
            .map(binding -> binding.value().evaluate(scope.root(document)))
            .toList();
    for (int i = 0; i < values.size(); i++) {
      scope.variable(change.variables().get(i).slot(), values.get(i));
    }
    Document after = before;
    for (Stage.Step step : change.steps()) {
      after = step.apply(after, scope.root(after));
    }
    return after;
  }

  /** Keeps the existing {@code _id}; the new document may omit it but not change it. */
  private static Document sameId(Document before, Document after) {
    Value id = before.field("_id");
    Value wanted = after.field("_id");
    if (wanted.isMissing()) {
      return first("_id", id, after);
    }
    if (!wanted.equals(id)) {
      throw new QueryException(
          Reason.BAD_VALUE,
          ID_CHANGED,
          "$merge failed to update the matching document, did you attempt to modify the _id or"
              + " the shard key?");
    }
    return after;
  }

  private static Document combine(Document before, Document document) {
    DocumentWriter writer = Intermediate.writer();
    Fields old = before.fields();
    while (old.next()) {
      Value replacement = document.field(old.name());
      writer.put(old.name(), replacement.isMissing() ? old.value() : replacement);
    }
    Fields added = document.fields();
    while (added.next()) {
      if (before.field(added.name()).isMissing()) {
        writer.put(added);
      }
    }
    return writer.build();
  }

  private static Document first(String name, Value value, Document rest) {
    DocumentWriter writer = Intermediate.writer().put(name, value);
    writer.putAll(rest);
    return writer.build();
  }
}

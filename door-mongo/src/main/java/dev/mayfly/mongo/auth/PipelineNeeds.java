package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Determines the privileges that a pipeline requires, including those of nested pipelines. */
final class PipelineNeeds {
  private static final String[] REPLACE = {"insert", "remove"};
  private static final String[] MERGE = {"insert", "update"};

  private final String database;
  private final boolean bypass;
  private final List<Need> needs = new ArrayList<>();

  /**
   * @param bypass whether {@code $out} and {@code $merge} bypass document validation
   */
  private PipelineNeeds(String database, boolean bypass) {
    this.database = database;
    this.bypass = bypass;
  }

  /** The privileges that an {@code aggregate} requires. */
  static Need ofAggregate(Request request) {
    Optional<Namespace> over =
        request.target().isNumber() ? Optional.empty() : Optional.of(request.namespace());
    PipelineNeeds needs =
        new PipelineNeeds(request.database(), request.flag("bypassDocumentValidation", false));
    needs.addOuter(over, request.documents("pipeline"));
    return Need.all(needs.needs);
  }

  /** The privileges that reading a view requires. */
  static Need ofView(Namespace on, List<Document> stages) {
    PipelineNeeds needs = new PipelineNeeds(on.database(), false);
    needs.addOuter(Optional.of(on), stages);
    return Need.all(needs.needs);
  }

  /** A first stage that does not read the collection requires other privileges instead of find. */
  private void addOuter(Optional<Namespace> over, List<Document> stages) {
    if (readsCollection(first(stages))) {
      needs.add(source(over, "find"));
    }
    addStages(over, stages);
  }

  private static String first(List<Document> stages) {
    Fields first = stages.isEmpty() ? Document.EMPTY.fields() : stages.getFirst().fields();
    return first.next() ? first.name() : "";
  }

  private static boolean readsCollection(String first) {
    return switch (first) {
      case "$changeStream",
          "$collStats",
          "$indexStats",
          "$planCacheStats",
          "$listSearchIndexes",
          "$currentOp",
          "$listSessions",
          "$listLocalSessions",
          "$documents" ->
          false;
      default -> true;
    };
  }

  private Need source(Optional<Namespace> over, String action) {
    return over.map(namespace -> Need.on(namespace, action))
        .orElseGet(() -> Need.onDatabase(database, action));
  }

  /** A change stream requires find and changeStream on its scope. */
  private Need watch(Optional<Namespace> over, Value options) {
    Value all =
        options.isDocument() ? options.asDocument().field("allChangesForCluster") : Value.MISSING;
    if (!all.isMissing() && !all.equals(Value.FALSE)) {
      return Need.onAllDatabases("find", "changeStream");
    }
    return Need.all(source(over, "find"), source(over, "changeStream"));
  }

  private void addStages(Optional<Namespace> over, List<Document> stages) {
    for (Document stage : stages) {
      Fields fields = stage.fields();
      if (fields.next()) {
        addStage(over, fields.name(), fields.value());
      }
    }
  }

  private void addStage(Optional<Namespace> over, String name, Value argument) {
    switch (name) {
      case "$changeStream" -> needs.add(watch(over, argument));
      case "$collStats" -> needs.add(source(over, "collStats"));
      case "$indexStats" -> needs.add(source(over, "indexStats"));
      case "$planCacheStats" -> needs.add(source(over, "planCacheRead"));
      case "$listSearchIndexes" -> needs.add(source(over, "listSearchIndexes"));
      case "$out" -> addWrite(argument, "coll", REPLACE);
      case "$merge" -> addWrite(argument, "into", MERGE);
      case "$lookup", "$graphLookup" -> addJoin(argument, "from");
      case "$unionWith" -> addJoin(argument, "coll");
      case "$facet" -> addFacets(over, argument);
      case "$currentOp" -> addOfOthers("inprog", flag(argument, "allUsers"));
      case "$listSessions", "$listLocalSessions" ->
          addOfOthers("listSessions", flag(argument, "allUsers") || flag(argument, "users"));
      default -> {}
    }
  }

  /** A user may see its own operations and sessions without a privilege. */
  private void addOfOthers(String action, boolean others) {
    if (others) {
      needs.add(Need.onCluster(action));
    }
  }

  private static boolean flag(Value argument, String name) {
    Value flag = argument.isDocument() ? argument.asDocument().field(name) : Value.MISSING;
    return !flag.isMissing() && !flag.equals(Value.FALSE);
  }

  /** A join requires find on its collection, whatever the first stage of its pipeline is. */
  private void addJoin(Value argument, String field) {
    Optional<Namespace> from = named(argument, field, database);
    from.ifPresent(namespace -> needs.add(Need.on(namespace, "find")));
    if (argument.isDocument()) {
      addInner(from, argument.asDocument().field("pipeline"));
    }
  }

  private void addFacets(Optional<Namespace> over, Value argument) {
    if (argument.isDocument()) {
      Fields facets = argument.asDocument().fields();
      while (facets.next()) {
        addInner(over, facets.value());
      }
    }
  }

  private void addInner(Optional<Namespace> over, Value pipeline) {
    if (pipeline.isArray()) {
      List<Document> stages = new ArrayList<>();
      Fields elements = pipeline.asDocument().fields();
      while (elements.next()) {
        if (elements.type() == Type.OBJECT) {
          stages.add(elements.value().asDocument());
        }
      }
      addStages(over, stages);
    }
  }

  private void addWrite(Value argument, String field, String... actions) {
    named(argument, field, database)
        .ifPresent(
            into -> {
              needs.add(Need.on(into, actions));
              if (bypass) {
                needs.add(Need.on(into, "bypassDocumentValidation"));
              }
            });
  }

  /**
   * The collection in a stage, as a string or document; empty if it is neither, the parser rejects
   * it.
   */
  private static Optional<Namespace> named(Value named, String field, String database) {
    if (named.type() == Type.STRING) {
      return Optional.of(Names.namespace(database, named.asString()));
    }
    if (!named.isDocument()) {
      return Optional.empty();
    }
    Document document = named.asDocument();
    Value other = document.field("db");
    String of = other.type() == Type.STRING ? other.asString() : database;
    Value inner = document.field(field);
    return inner.isMissing() ? Optional.empty() : named(inner, "coll", of);
  }
}

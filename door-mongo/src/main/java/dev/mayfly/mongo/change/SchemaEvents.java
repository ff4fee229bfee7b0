package dev.mayfly.mongo.change;

import dev.mayfly.engine.CatalogChange;
import dev.mayfly.engine.CatalogChange.Altered;
import dev.mayfly.engine.CatalogChange.Created;
import dev.mayfly.engine.CatalogChange.DatabaseDropped;
import dev.mayfly.engine.CatalogChange.Dropped;
import dev.mayfly.engine.CatalogChange.Renamed;
import dev.mayfly.engine.CatalogChange.Subject;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Namespace;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.mongo.collection.Description;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Options;
import dev.mayfly.mongo.collection.SlidingOption;
import dev.mayfly.mongo.collection.TtlFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Builds the change events of schema changes: create, drop, rename, modify, indexes. */
final class SchemaEvents {
  /** The properties of an index that can change without a rebuild. */
  private static final List<String> CHANGEABLE =
      List.of(
          "expireAfterSeconds",
          "hidden",
          TtlFormat.FIELD,
          SlidingOption.FIELD,
          "prepareUnique",
          "unique");

  /** The description of a collection without a validator. */
  private static final Document UNVALIDATED =
      Document.writer()
          .put("validator", Document.EMPTY)
          .put("validationLevel", "strict")
          .put("validationAction", "error")
          .build();

  private final WatchScope scope;
  private final boolean expanded;

  /**
   * @param expanded showExpandedEvents; without it only drop, rename and dropDatabase are reported
   */
  SchemaEvents(WatchScope scope, boolean expanded) {
    this.scope = scope;
    this.expanded = expanded;
  }

  /**
   * Events of a schema change.
   *
   * @param events in their order
   * @param ends whether the stream ends with them
   */
  record Reported(List<Document> events, boolean ends) {
    static final Reported NOTHING = new Reported(List.of(), false);
  }

  Reported of(CatalogChange change) {
    return switch (change) {
      case Created created when expanded && reported(created.subject(), created.spec()) ->
          new Reported(created(created), false);
      case Altered altered when expanded && reported(altered.subject(), altered.after()) ->
          new Reported(altered(altered), false);
      case Dropped dropped
          when reported(dropped.subject(), dropped.spec()) && !isViewOfDroppedDatabase(dropped) ->
          new Reported(List.of(dropped(dropped)), scope.endsWithCollection());
      case Renamed renamed
          when reported(renamed.subject(), renamed.spec())
              || reported(renamed.to(), renamed.spec()) ->
          new Reported(List.of(renamed(renamed)), scope.endsWithCollection());
      case DatabaseDropped dropped when scope.includes(dropped.database()) ->
          new Reported(List.of(dropped(dropped)), scope.endsWithDatabase());
      case Created _, Altered _, Dropped _, Renamed _, DatabaseDropped _ -> Reported.NOTHING;
    };
  }

  private boolean reported(Subject subject, CollectionSpec spec) {
    return reported(subject.namespace(), spec);
  }

  /**
   * Events of views are reported with showExpandedEvents on a database or cluster only; collections
   * of the Cosmos DB door are not reported.
   */
  private boolean reported(Namespace namespace, CollectionSpec spec) {
    return scope.includes(namespace)
        && spec.dialect() == Dialect.MONGO
        && (!isView(spec) || (expanded && !scope.endsWithCollection()));
  }

  /** Views dropped with their database are not reported. */
  private static boolean isViewOfDroppedDatabase(Dropped dropped) {
    return dropped.withDatabase() && isView(dropped.spec());
  }

  private static boolean isView(CollectionSpec spec) {
    return Options.of(spec).view().exists();
  }

  /** The event of a view, which has a definition and no collection UUID. */
  private DocumentWriter ofView(CatalogChange change, Subject view, String operation) {
    return Event.ofCollection(
        token(change, true), operation, change.time(), Value.MISSING, view.namespace());
  }

  private List<Document> created(Created created) {
    if (isView(created.spec())) {
      return List.of(
          ofView(created, created.subject(), "create")
              .put("operationDescription", Description.of(created.spec()))
              .build());
    }
    List<IndexForm> indexes = new ArrayList<>(Indexes.of(created.spec()));
    IndexForm ofId = indexes.removeFirst();
    List<Document> events = new ArrayList<>();
    DocumentWriter description = Document.writer();
    if (!ofId.clustered()) {
      description.put("idIndex", ofId.description());
    }
    description.putAll(Description.of(created.spec()));
    events.add(
        begin(created, created.subject(), "create", indexes.isEmpty())
            .put("operationDescription", description.build())
            .build());
    if (!indexes.isEmpty()) {
      events.add(ofIndexes(created, created.subject(), "createIndexes", indexes, true));
    }
    return events;
  }

  private List<Document> altered(Altered altered) {
    if (isView(altered.after())) {
      return List.of(
          ofView(altered, altered.subject(), "modify")
              .put("operationDescription", Description.of(altered.after()))
              .build());
    }
    List<IndexForm> before = Indexes.of(altered.before());
    List<IndexForm> after = Indexes.of(altered.after());
    List<IndexForm> dropped = without(before, after);
    List<IndexForm> added = without(after, before);
    Modified modified = modified(altered, before, after);
    List<Document> events = new ArrayList<>();
    if (!dropped.isEmpty()) {
      boolean last = added.isEmpty() && !modified.any();
      events.add(ofIndexes(altered, altered.subject(), "dropIndexes", dropped, last));
    }
    if (!added.isEmpty()) {
      events.add(ofIndexes(altered, altered.subject(), "createIndexes", added, !modified.any()));
    }
    if (modified.any()) {
      events.add(
          begin(altered, altered.subject(), "modify", true)
              .put("operationDescription", modified.description())
              .put("stateBeforeChange", modified.before())
              .build());
    }
    return events;
  }

  /** The indexes that have no counterpart among others. */
  private static List<IndexForm> without(List<IndexForm> some, List<IndexForm> others) {
    return some.stream()
        .filter(index -> others.stream().noneMatch(other -> isSame(index, other)))
        .toList();
  }

  private static boolean isSame(IndexForm one, IndexForm other) {
    return one.name().equals(other.name()) && one.key().equals(other.key());
  }

  /**
   * A modification.
   *
   * @param description the new state; empty if nothing changed
   * @param before the old state
   */
  private record Modified(Document description, Document before) {
    boolean any() {
      return !description.isEmpty();
    }
  }

  private static Modified modified(Altered altered, List<IndexForm> before, List<IndexForm> after) {
    DocumentWriter description = Document.writer();
    DocumentWriter state = Document.writer();
    Document oldOptions = Description.of(altered.before());
    Document options = Description.of(altered.after());
    state.startDocument("collectionOptions").put("uuid", Event.uuid(altered.subject().uuid()));
    state.putAll(oldOptions);
    state.end();
    for (IndexForm index : after) {
      before.stream()
          .filter(old -> isSame(old, index))
          .findFirst()
          .ifPresent(old -> compare(old, index, description, state));
    }
    for (String field : names(oldOptions, options)) {
      Value now = option(options, field);
      if (!now.equals(option(oldOptions, field))) {
        description.put(field, now.isMissing() ? Value.of("off") : now);
      }
    }
    return new Modified(description.build(), state.build());
  }

  private static Value option(Document options, String field) {
    Value value = options.field(field);
    return value.isMissing() ? UNVALIDATED.field(field) : value;
  }

  private static void compare(
      IndexForm old, IndexForm index, DocumentWriter description, DocumentWriter state) {
    List<String> changed =
        CHANGEABLE.stream()
            .filter(field -> !option(old, field).equals(option(index, field)))
            .toList();
    if (changed.isEmpty()) {
      return;
    }
    description.startDocument("index").put("name", index.name());
    changed.forEach(field -> description.put(field, option(index, field)));
    description.end();
    state.startDocument("indexOptions");
    changed.forEach(field -> state.put(field, option(old, field)));
    state.end();
  }

  /** An unset flag is false; a time to live is a 64-bit number. */
  private static Value option(IndexForm index, String field) {
    Value value = index.description().field(field);
    if (field.equals("expireAfterSeconds")) {
      return value.isMissing() ? value : Value.of(value.asLong());
    }
    if (field.equals(TtlFormat.FIELD)) {
      return value.isMissing() ? Value.of(TimeFormat.DATE.code()) : value;
    }
    return value.isMissing() ? Value.FALSE : value;
  }

  private static Set<String> names(Document one, Document other) {
    Set<String> names = new TreeSet<>();
    for (Document document : List.of(one, other)) {
      Fields fields = document.fields();
      while (fields.next()) {
        names.add(fields.name());
      }
    }
    return names;
  }

  private Document ofIndexes(
      CatalogChange change,
      Subject subject,
      String operation,
      List<IndexForm> indexes,
      boolean last) {
    List<Value> descriptions = indexes.stream().map(IndexForm::description).map(Value::of).toList();
    return begin(change, subject, operation, last)
        .startDocument("operationDescription")
        .put("indexes", Value.array(descriptions))
        .end()
        .build();
  }

  private Document dropped(Dropped dropped) {
    if (isView(dropped.spec())) {
      return ofView(dropped, dropped.subject(), "drop").build();
    }
    return begin(dropped, dropped.subject(), "drop", true).build();
  }

  private Document renamed(Renamed renamed) {
    Document to = Event.named(renamed.to());
    DocumentWriter event = begin(renamed, renamed.subject(), "rename", true).put("to", to);
    if (expanded) {
      event.startDocument("operationDescription").put("to", to);
      if (renamed.replaced().id() != 0) {
        event.put("dropTarget", Event.uuid(renamed.replaced().uuid()));
      }
      event.end();
    }
    return event.build();
  }

  private Document dropped(DatabaseDropped dropped) {
    return Event.databaseDropped(token(dropped, true), dropped.time(), dropped.database());
  }

  private DocumentWriter begin(
      CatalogChange change, Subject subject, String operation, boolean last) {
    Value uuid = expanded ? Event.uuid(subject.uuid()) : Value.MISSING;
    return Event.ofCollection(
        token(change, last), operation, change.time(), uuid, subject.namespace());
  }

  /**
   * A stream that resumes after one of several events of a change receives all of them again: none
   * is lost.
   */
  private ResumeToken token(CatalogChange change, boolean last) {
    boolean ends =
        switch (change) {
          case Dropped _, Renamed _ -> scope.endsWithCollection();
          case DatabaseDropped _ -> scope.endsWithDatabase();
          case Created _, Altered _ -> false;
        };
    return new ResumeToken(
        change.time(),
        last ? change.position() : change.position() - 1,
        ends ? ResumeToken.Kind.ENDING : ResumeToken.Kind.CHANGE);
  }
}

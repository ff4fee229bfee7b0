package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * {@code dropIndexes}: drops an index by name or key pattern, several by name, or all but the
 * {@code _id} index.
 */
public final class DropIndexesCommand implements Command {
  private static final String ALL = "*";

  private final Namespaces namespaces;
  private final IndexUsage indexUsage;

  public DropIndexesCommand(Namespaces namespaces, IndexUsage indexUsage) {
    this.namespaces = namespaces;
    this.indexUsage = indexUsage;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("index"));
    Namespace namespace = request.namespace();
    Value requested = request.field("index");
    if (requested.isMissing()) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD,
          "BSON field 'dropIndexes.index' is missing but a required field");
    }
    Found found = namespaces.collection(namespace, "ns not found " + namespace);
    List<IndexForm> existing = Indexes.of(found.spec());
    List<IndexForm> dropped = chosen(requested, existing);
    found.collection().alter(spec -> without(spec, dropped));
    // a new index may get the same name
    dropped.forEach(
        index ->
            indexUsage.of(found.collection(), request.now()).restart(index.name(), request.now()));
    reply.put("nIndexesWas", existing.size());
    if (requested.type() == Type.STRING && requested.asString().equals(ALL)) {
      reply.put("msg", "non-_id indexes dropped for collection");
    }
  }

  private static CollectionSpec without(CollectionSpec spec, List<IndexForm> dropped) {
    CollectionSpec rest = spec;
    for (IndexForm index : dropped) {
      rest = Indexes.dropped(rest, index);
    }
    return rest;
  }

  private static List<IndexForm> chosen(Value requested, List<IndexForm> existing) {
    return switch (requested.type()) {
      case STRING ->
          requested.asString().equals(ALL)
              ? existing.stream().filter(index -> !index.isId()).toList()
              : List.of(named(requested.asString(), existing));
      case OBJECT -> List.of(keyed(requested.asDocument(), existing));
      case ARRAY -> listed(requested, existing);
      case Type type ->
          throw new CommandException(
              ErrorCode.TYPE_MISMATCH,
              "BSON field 'dropIndexes.index' is the wrong type '"
                  + TypeNames.of(type)
                  + "', expected types '[string, object]'");
    };
  }

  private static List<IndexForm> listed(Value names, List<IndexForm> existing) {
    List<IndexForm> listed = new ArrayList<>();
    Fields elements = names.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.STRING) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH,
            "BSON field 'dropIndexes.index."
                + elements.name()
                + "' is the wrong type '"
                + TypeNames.of(elements.type())
                + "', expected type 'string'");
      }
      listed.add(named(elements.value().asString(), existing));
    }
    return listed;
  }

  private static IndexForm named(String name, List<IndexForm> existing) {
    return existing.stream()
        .filter(index -> index.name().equals(name))
        .findFirst()
        .map(DropIndexesCommand::droppable)
        .orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.INDEX_NOT_FOUND, "index not found with name [" + name + "]"));
  }

  private static IndexForm keyed(Document key, List<IndexForm> existing) {
    List<IndexForm> matching = existing.stream().filter(index -> index.hasKey(key)).toList();
    if (matching.isEmpty()) {
      throw new CommandException(
          ErrorCode.INDEX_NOT_FOUND, "can't find index with key: " + ShellText.of(key));
    }
    if (matching.size() > 1) {
      throw new CommandException(
          ErrorCode.AMBIGUOUS_INDEX_KEY_PATTERN,
          matching.size()
              + " indexes found for key: "
              + ShellText.of(key)
              + ", identify by name instead. Conflicting indexes: "
              + ShellText.of(matching.get(0).description())
              + ", "
              + ShellText.of(matching.get(1).description()));
    }
    return droppable(matching.getFirst());
  }

  private static IndexForm droppable(IndexForm index) {
    if (index.isId()) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "cannot drop _id index");
    }
    return index;
  }
}

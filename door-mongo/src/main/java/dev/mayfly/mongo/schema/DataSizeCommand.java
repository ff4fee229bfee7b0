package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code dataSize}: number and bytes of the documents of a collection or of a range of it. */
public final class DataSizeCommand implements Command {
  private final Namespaces namespaces;

  public DataSizeCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("keyPattern", "min", "max", "estimate"));
    Namespace namespace = namespace(request);
    Document min = request.document("min");
    Document max = request.document("max");
    if (min.isEmpty() != max.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "either provide both min and max or neither");
    }
    Usage usage =
        namespaces
            .find(namespace)
            .map(found -> found.asCollection().collection())
            .map(collection -> usage(request, collection, min, max))
            .orElse(Usage.NONE);
    reply.put("estimate", false);
    reply.put("size", usage.bytes());
    reply.put("numObjects", usage.documents());
    reply.put("millis", 0);
  }

  private static Namespace namespace(Request request) {
    if (request.target().type() != Type.STRING) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "dataSize takes the full name of a collection");
    }
    return Names.full(request.target().asString());
  }

  private static Usage usage(Request request, Collection collection, Document min, Document max) {
    if (min.isEmpty()) {
      return collection.usage(request.operation());
    }
    List<Filter> bounds = new ArrayList<>();
    bound(min, Operator.GTE, bounds);
    bound(max, Operator.LT, bounds);
    long documents = 0;
    long bytes = 0;
    Query query = Query.of(Filter.and(bounds), Mode.MATCH).withoutTouch();
    try (Cursor cursor = collection.query(request.operation(), query)) {
      while (cursor.next()) {
        request.check();
        documents++;
        bytes += cursor.document().length();
      }
    }
    return new Usage(documents, bytes);
  }

  private static void bound(Document values, Operator operator, List<Filter> bounds) {
    Fields fields = values.fields();
    while (fields.next()) {
      bounds.add(new Filter.Compare(FieldPath.of(fields.name()), operator, fields.value()));
    }
  }
}

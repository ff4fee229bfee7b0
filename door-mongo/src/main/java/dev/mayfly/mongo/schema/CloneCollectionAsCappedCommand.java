package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code cloneCollectionAsCapped}: copies a collection into a new capped collection. */
public final class CloneCollectionAsCappedCommand implements Command {
  private final Namespaces namespaces;

  public CloneCollectionAsCappedCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("toCollection", "size", "capacity", "temp"));
    Namespace from = request.namespace();
    Namespace to = Names.namespace(from.database(), request.text("toCollection", ""));
    Names.checkWritable(to);
    Collection source =
        namespaces
            .collection(
                from, "cloneCollectionAsCapped: source collection " + from + " does not exist")
            .collection();
    if (namespaces.find(to).isPresent()) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS,
          "cloneCollectionAsCapped failed - destination collection "
              + to
              + " already exists. source"
              + " collection: "
              + from);
    }
    long bytes = Cap.bytes(request.number("size", 0), "cloneCollectionAsCapped.size");
    CappedCopy.create(request, namespaces.engine(), source, to, bytes);
  }
}

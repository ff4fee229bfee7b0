package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code convertToCapped}: converts a collection to a capped collection. Copies it to a temporary
 * collection, which then replaces it. Writes to the collection wait meanwhile.
 */
public final class ConvertToCappedCommand implements Command {
  private final Namespaces namespaces;

  public ConvertToCappedCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("size"));
    new Section(request.name(), request.body()).required("size");
    Namespace namespace = request.namespace();
    Names.checkCreatable(namespace);
    namespaces.collection(namespace, "source collection " + namespace + " does not exist");
    long bytes = Cap.bytes(request.number("size", 0), "convertToCapped.size");
    Namespace temporary = Names.temporary(namespace, "convertToCapped");
    Engine engine = namespaces.engine();
    engine.exclusively(
        namespace,
        source -> {
          CappedCopy.create(request, engine, source, temporary, bytes);
          engine.rename(temporary, namespace, true);
          return temporary;
        });
  }
}

package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Dialect;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code dropDatabase}: drops all collections and views of a database. */
public final class DropDatabaseCommand implements Command {
  private final Namespaces namespaces;

  public DropDatabaseCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    Names.checkDatabase(request.database());
    Names.checkDroppable(request.database());
    if (namespaces.engine().dropDatabase(request.database(), Dialect.MONGO)) {
      reply.put("dropped", request.database());
    }
  }
}

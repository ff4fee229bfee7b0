package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.collection.Sizes;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code dbStats}: how much a database holds; sizes as {@link CollStats} counts them. */
public final class DbStats implements Command {
  private final Namespaces namespaces;

  public DbStats(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("scale", "freeStorage"));
    Names.checkDatabase(request.database());
    long scale = Sizes.scale(request);
    List<Found> all = new ArrayList<>();
    for (Namespace name : namespaces.of(request.database())) {
      namespaces.find(name).ifPresent(all::add);
    }
    List<Found> collections = all.stream().filter(found -> !found.isView()).toList();
    Sizes sizes =
        collections.stream()
            .map(found -> Sizes.of(found.collection()))
            .reduce(Sizes.NONE, Sizes::plus);
    long indexes = collections.stream().mapToLong(found -> Indexes.of(found.spec()).size()).sum();
    reply.put("db", request.database());
    reply.put("collections", (long) collections.size());
    reply.put("views", (long) (all.size() - collections.size()));
    reply.put("objects", sizes.live().documents());
    reply.put("avgObjSize", (double) sizes.average());
    reply.put("dataSize", (double) sizes.live().bytes() / scale);
    reply.put("storageSize", (double) sizes.stored() / scale);
    reply.put("indexes", indexes);
    reply.put("indexSize", 0.0);
    reply.put("totalSize", (double) sizes.stored() / scale);
    reply.put("scaleFactor", scale);
  }
}

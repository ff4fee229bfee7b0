package dev.mayfly.mongo.read;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code planCacheListFilters}: returns an empty list, because there are no index filters. */
public final class PlanCacheListFiltersCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    request.namespace();
    reply.startArray("filters").end();
  }
}

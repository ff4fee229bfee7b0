package dev.mayfly.mongo.read;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code planCacheClear} and {@code planCacheClearFilters}: do nothing, because there is no plan
 * cache and there are no index filters.
 */
public final class PlanCacheClearCommand implements Command {
  private static final Set<String> FIELDS = Set.of("query", "sort", "projection", "collation");

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    request.namespace();
  }
}

package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.DefaultConcerns;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code getDefaultRWConcern}: the read and write concern of requests without one. */
public final class GetDefaultRwConcernCommand implements Command {
  private static final Set<String> FIELDS = Set.of("inMemory");

  private final DefaultConcerns defaults;

  public GetDefaultRwConcernCommand(DefaultConcerns defaults) {
    this.defaults = defaults;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    defaults.describe(request, reply);
  }
}

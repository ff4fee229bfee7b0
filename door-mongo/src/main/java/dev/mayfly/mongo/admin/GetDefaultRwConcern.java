package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/** {@code getDefaultRWConcern}: what holds for those who say nothing. */
public final class GetDefaultRwConcern implements Command {
  private final Engine engine;

  public GetDefaultRwConcern(Engine engine) {
    this.engine = engine;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    reply.startDocument("defaultReadConcern").put("level", "local").end();
    reply.startDocument("defaultWriteConcern").put("w", 1).put("wtimeout", 0).end();
    reply
        .put("defaultReadConcernSource", "implicit")
        .put("defaultWriteConcernSource", "implicit")
        .put("localUpdateWallClockTime", Value.date(engine.now()));
  }
}

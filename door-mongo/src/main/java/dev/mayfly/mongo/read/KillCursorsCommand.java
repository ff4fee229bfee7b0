package dev.mayfly.mongo.read;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** {@code killCursors}: closes cursors that are not exhausted. */
public final class KillCursorsCommand implements Command {
  private static final Set<String> FIELDS = Set.of("cursors");

  private final Cursors cursors;
  private final Predicate<Client> mayKillAny;

  /**
   * The command.
   *
   * @param mayKillAny whether a client may close cursors of other users
   */
  public KillCursorsCommand(Cursors cursors, Predicate<Client> mayKillAny) {
    this.cursors = cursors;
    this.mayKillAny = mayKillAny;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Value requested = request.field("cursors");
    if (!requested.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "Field 'cursors' must be an array in: killCursors command");
    }
    String namespace = request.database() + "." + request.target().asString();
    checkAll(request, requested, namespace);
    List<Value> killed = new ArrayList<>();
    List<Value> unknown = new ArrayList<>();
    Fields ids = requested.asDocument().fields();
    while (ids.next()) {
      Value id = ids.value();
      boolean known = id.type() == Type.INT64 && cursors.kill(id.asLong(), namespace);
      (known ? killed : unknown).add(id);
    }
    reply
        .put("cursorsKilled", Value.array(killed))
        .put("cursorsNotFound", Value.array(unknown))
        .put("cursorsAlive", Value.array(List.of()))
        .put("cursorsUnknown", Value.array(List.of()));
  }

  /** Fails if one of the cursors belongs to another user; no cursor is closed then. */
  private void checkAll(Request request, Value requested, String namespace) {
    if (mayKillAny.test(request.client())) {
      return;
    }
    Fields ids = requested.asDocument().fields();
    while (ids.next()) {
      if (ids.type() == Type.INT64 && cursors.isOfAnother(request, ids.value().asLong())) {
        throw new CommandException(
            ErrorCode.UNAUTHORIZED, "not authorized to kill cursor on " + namespace);
      }
    }
  }
}

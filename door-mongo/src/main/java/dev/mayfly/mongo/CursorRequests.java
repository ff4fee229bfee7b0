package dev.mayfly.mongo;

import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.Peer;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs {@code getMore} and {@code killCursors} at the server that has the cursor. A cursor does not
 * move: if its server or the cell is gone, the cursor is not found, after which drivers resume
 * change streams. Thread-safe.
 */
final class CursorRequests {
  private static final List<String> OUTCOMES =
      List.of("cursorsKilled", "cursorsNotFound", "cursorsAlive", "cursorsUnknown");

  private final Cells cells;
  private final CellBackends backends;
  private final Dispatcher server;
  private final Relay relay;

  CursorRequests(Cells cells, CellBackends backends, Dispatcher server, Relay relay) {
    this.cells = cells;
    this.backends = backends;
    this.server = server;
    this.relay = relay;
  }

  /** Whether a request names cursors in the form that their ids can be read. */
  static boolean isReadable(Request request) {
    return request.name().equals("getMore")
        ? request.target().type() == Type.INT64
        : request.field("cursors").type() == Type.ARRAY
            && ids(request).stream().allMatch(id -> id.type() == Type.INT64);
  }

  /** Runs a request whose ids are {@linkplain #isReadable readable}. */
  boolean answer(Request request, Message.Call call, DocumentWriter reply) {
    return request.name().equals("getMore")
        ? at(request, request.target().asLong(), call, reply)
        : killAll(request, call, reply);
  }

  /** Runs the request at the server of a cursor. */
  private boolean at(Request request, long id, Message.Call call, DocumentWriter reply) {
    int slot = CursorIds.slot(id);
    if (slot == cells.self().slot()) {
      return here(request, id, call, reply);
    }
    Peer peer = cells.peer(slot).orElseThrow(() -> notFound(id));
    try {
      RelayReply made = relay.call(peer, RelayRequest.Target.CURSOR, 0, request, call);
      reply.clear();
      reply.putAll(made.body());
      return made.done();
    } catch (MovedException | PeerException gone) {
      throw notFound(id);
    }
  }

  /** Runs a relayed request on a cursor of this server. */
  boolean answerHere(Request request, Message.Call call, DocumentWriter reply) {
    long id =
        request.name().equals("getMore")
            ? request.target().asLong()
            : ids(request).getFirst().asLong();
    return here(request, id, call, reply);
  }

  private boolean here(Request request, long id, Message.Call call, DocumentWriter reply) {
    if (server.hasCursor(id)) {
      return server.answer(request.client(), call, reply);
    }
    Optional<CellBackends.Served> cell = backends.withCursor(id);
    if (cell.isEmpty()) {
      throw notFound(id);
    }
    try {
      return cell.get().admitted(request, call, reply);
    } catch (MovedException | PeerException gone) {
      throw notFound(id);
    }
  }

  /** Kills each cursor at its server, and joins the outcomes. */
  private boolean killAll(Request request, Message.Call call, DocumentWriter reply) {
    Map<String, List<Value>> outcomes = new LinkedHashMap<>();
    OUTCOMES.forEach(outcome -> outcomes.put(outcome, new ArrayList<>()));
    for (Value id : ids(request)) {
      try {
        DocumentWriter one = Document.writer();
        boolean done = at(request, id.asLong(), Relay.part(call, withOnly(request, id)), one);
        Document made = one.build();
        if (!done) {
          reply.clear();
          reply.putAll(made);
          return false;
        }
        outcomes.forEach((outcome, all) -> all.addAll(elements(made.field(outcome))));
      } catch (CommandException failure) {
        if (!failure.code().equals(ErrorCode.CURSOR_NOT_FOUND)) {
          throw failure;
        }
        outcomes.computeIfAbsent("cursorsNotFound", _ -> new ArrayList<>()).add(id);
      }
    }
    outcomes.forEach((outcome, all) -> reply.put(outcome, Value.array(all)));
    server.succeeded(request, reply);
    return true;
  }

  private static Document withOnly(Request request, Value id) {
    DocumentWriter body = Document.writer();
    Fields fields = request.body().fields();
    while (fields.next()) {
      if (fields.name().equals("cursors")) {
        body.put("cursors", Value.array(List.of(id)));
      } else {
        body.put(fields);
      }
    }
    return body.build();
  }

  private static List<Value> ids(Request request) {
    return elements(request.field("cursors"));
  }

  private static List<Value> elements(Value array) {
    List<Value> elements = new ArrayList<>();
    if (array.isArray()) {
      Fields fields = array.asDocument().fields();
      while (fields.next()) {
        elements.add(fields.value());
      }
    }
    return elements;
  }

  static CommandException notFound(long id) {
    return new CommandException(ErrorCode.CURSOR_NOT_FOUND, "cursor id " + id + " not found");
  }
}

package dev.mayfly.mongo;

import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.Peer;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs a command at every server, and joins the replies. Thread-safe. */
final class Broadcast {
  private static final System.Logger LOG = System.getLogger(Broadcast.class.getName());
  private static final long MEBIBYTE = 1 << 20;

  private final Cells cells;
  private final CellBackends backends;
  private final Dispatcher server;
  private final Relay relay;

  Broadcast(Cells cells, CellBackends backends, Dispatcher server, Relay relay) {
    this.cells = cells;
    this.backends = backends;
    this.server = server;
    this.relay = relay;
  }

  /** Runs a command in each cell of this server; one that moves away meanwhile is left out. */
  static List<Value> everyCell(CellBackends backends, Request request, Message.Call call) {
    List<Value> replies = new ArrayList<>();
    for (CellBackends.Served cell : backends.all()) {
      DocumentWriter reply = Document.writer();
      try {
        boolean _ = cell.admitted(request, call, reply);
        replies.add(Value.of(reply.build()));
      } catch (MovedException | PeerException moved) {
        LOG.log(System.Logger.Level.DEBUG, "a cell has moved: its new server answers", moved);
      }
    }
    return replies;
  }

  /**
   * Runs a command and writes the joined reply. Returns whether it succeeded everywhere.
   *
   * @param everyCell whether it runs once for each cell, otherwise once for each server
   * @throws PeerException if a server does not answer
   */
  boolean answer(Request request, Message.Call call, boolean everyCell, DocumentWriter reply) {
    List<Document> replies = new ArrayList<>();
    if (everyCell) {
      everyCell(backends, request, call).forEach(one -> replies.add(one.asDocument()));
    } else {
      DocumentWriter own = Document.writer();
      boolean _ = server.answer(request.client(), call, own);
      replies.add(own.build());
    }
    for (Peer peer : cells.peers()) {
      RelayRequest.Target target =
          everyCell ? RelayRequest.Target.EVERY_CELL : RelayRequest.Target.SERVER;
      Document made = relay.call(peer, target, 0, request, call).body();
      if (everyCell) {
        documents(made.field("replies")).forEach(replies::add);
      } else {
        replies.add(made);
      }
    }
    return join(request, replies, reply);
  }

  /**
   * Writes the operations of all servers.
   *
   * @param local whether those of this server are enough
   */
  boolean currentOperations(Request request, boolean local, DocumentWriter reply) {
    Message.Call call =
        new Message.Call(0, Compressor.NOOP, false, false, request.body(), Map.of());
    return local
        ? server.answer(request.client(), call, reply)
        : answer(request, call, false, reply);
  }

  private boolean join(Request request, List<Document> replies, DocumentWriter reply) {
    for (Document one : replies) {
      if (one.field("ok").asDouble() != 1) {
        reply.putAll(one);
        return false;
      }
    }
    switch (request.name()) {
      case "listDatabases" -> joinDatabases(request, replies, reply);
      case "currentOp" -> joinOperations(replies, reply);
      case String _ -> {
        if (!replies.isEmpty()) {
          reply.putAll(replies.getFirst());
          return true;
        }
      }
    }
    server.succeeded(request, reply);
    return true;
  }

  /** A database is in one cell, except those that every engine has. */
  private static void joinDatabases(Request request, List<Document> replies, DocumentWriter reply) {
    boolean nameOnly = request.flag("nameOnly", false);
    Map<String, Document> byName = new TreeMap<>();
    long total = 0;
    for (Document one : replies) {
      for (Document database : documents(one.field("databases"))) {
        byName.putIfAbsent(database.field("name").asString(), database);
      }
      total += nameOnly ? 0 : one.field("totalSize").asLong();
    }
    reply.put("databases", Value.array(byName.values().stream().map(Value::of).toList()));
    if (!nameOnly) {
      reply.put("totalSize", total).put("totalSizeMb", total / MEBIBYTE);
    }
  }

  private static void joinOperations(List<Document> replies, DocumentWriter reply) {
    List<Value> operations = new ArrayList<>();
    for (Document one : replies) {
      documents(one.field("inprog")).forEach(row -> operations.add(Value.of(row)));
    }
    reply.put("inprog", Value.array(operations));
  }

  private static List<Document> documents(Value array) {
    List<Document> documents = new ArrayList<>();
    if (array.isArray()) {
      Fields elements = array.asDocument().fields();
      while (elements.next()) {
        documents.add(elements.value().asDocument());
      }
    }
    return documents;
  }
}

package dev.mayfly.admin;

import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.ClusterStatus;
import dev.mayfly.cluster.ClusterStatus.CellStatus;
import dev.mayfly.cluster.ClusterStatus.ServerStatus;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Requests of the admin API about the cluster itself: its state, and where its cells are. */
final class ClusterRequests {
  private final Cells cells;

  ClusterRequests(Cells cells) {
    this.cells = cells;
  }

  Document answer(String method, String path, List<String> segments, Document body) {
    return switch (method + " /" + String.join("/", segments)) {
      case "GET /cluster" -> form(cells.status());
      case "POST /cluster/move" ->
          changed(() -> cells.move(number(body, "cell"), number(body, "server")));
      case "POST /cluster/drain" -> changed(() -> cells.drain(number(body, "server"), true));
      case "POST /cluster/undrain" -> changed(() -> cells.drain(number(body, "server"), false));
      default -> throw AdminApi.unknown(method, path);
    };
  }

  private static int number(Document body, String name) {
    long number = AdminApi.whole(body, name);
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw AdminException.wrong("'" + name + "' must not be negative.");
    }
    return (int) number;
  }

  private Document changed(Runnable change) {
    try {
      change.run();
    } catch (IllegalArgumentException impossible) {
      throw new AdminException(409, sentence(String.valueOf(impossible.getMessage())));
    } catch (MovedException moved) {
      throw new AdminException(
          409, "Cell " + moved.cell() + " has moved meanwhile: look at the status again.");
    } catch (PeerException failure) {
      throw ClusterAdmin.translate(failure);
    }
    return form(cells.status());
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }

  private static Document form(ClusterStatus status) {
    Map<UUID, ServerStatus> servers =
        status.servers().stream()
            .collect(Collectors.toMap(server -> server.member().id(), Function.identity()));
    DocumentWriter reply = Document.writer().startArray("servers");
    status.servers().forEach(server -> reply.add(Value.of(form(server))));
    reply.end().startArray("cells");
    status.cells().forEach(cell -> reply.add(Value.of(form(cell, servers))));
    reply.end().put("ready", status.notReady().isEmpty());
    status.notReady().ifPresent(reason -> reply.put("reason", reason));
    return reply.build();
  }

  private static Document form(ServerStatus server) {
    DocumentWriter form =
        Document.writer()
            .put("server", server.member().slot())
            .put("name", server.member().name())
            .put("mongo", server.member().mongo())
            .put("cosmos", server.member().cosmos().orElse(""))
            .put("version", server.member().version())
            .put("self", server.isSelf())
            .put("live", server.isLive())
            .put("silentMillis", server.silentMillis())
            .put("cells", server.cells())
            .put("takesCells", server.takesCells());
    server.skewMillis().ifPresent(skew -> form.put("skewMillis", skew));
    return form.build();
  }

  private static Document form(CellStatus cell, Map<UUID, ServerStatus> servers) {
    DocumentWriter form = Document.writer().put("cell", cell.number());
    cell.owner()
        .map(servers::get)
        .ifPresent(
            owner -> form.put("server", owner.member().slot()).put("name", owner.member().name()));
    return form.put("served", cell.isServed())
        .put("epoch", cell.epoch())
        .put("logLag", cell.logLag())
        .put("databases", Value.array(cell.databases().stream().map(Value::of).toList()))
        .build();
  }
}

package dev.mayfly.mongo;

import dev.mayfly.cluster.Admission;
import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Member;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.cluster.RelayHandler;
import dev.mayfly.cluster.RelayMessage;
import dev.mayfly.mongo.admin.Clients;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Disconnect;
import dev.mayfly.mongo.command.HomeCopy;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Answers the requests that other servers relay. Thread-safe. */
final class RelayAnswers implements RelayHandler {
  private final MongoFrontend frontend;
  private final CellBackends backends;
  private final Dispatcher server;
  private final CursorRequests cursors;
  private final Clients clients;

  RelayAnswers(
      MongoFrontend frontend, CellBackends backends, Dispatcher server, CursorRequests cursors) {
    this.frontend = frontend;
    this.backends = backends;
    this.server = server;
    this.cursors = cursors;
    this.clients = frontend.monitoring().clients();
  }

  @Override
  public RelayMessage answer(Member from, RelayMessage message, BooleanSupplier abandoned) {
    RelayRequest relayed = RelayRequest.of(message);
    Client client = relayed.client().toClient(clients.inProcess());
    client.disconnectCheck(abandoned);
    clients.add(client);
    try {
      return answer(relayed, client).toMessage();
    } catch (PeerException lost) {
      return RelayReply.lost(lost);
    } catch (Disconnect closed) {
      return RelayReply.disconnect();
    } finally {
      clients.remove(client);
    }
  }

  private RelayReply answer(RelayRequest relayed, Client client) {
    Message.Call call = relayed.call();
    Request request =
        new Request(
            client,
            new Operation(frontend.clock(), frontend.settings().ticker(), Optional.empty()),
            call.body(),
            call.sequences());
    DocumentWriter reply = Document.writer();
    return switch (relayed.target()) {
      case CELL -> {
        boolean done = backends.served(relayed.number()).admitted(request, call, reply);
        yield new RelayReply(done, reply.build());
      }
      case CURSOR -> {
        boolean done = cursors.answerHere(request, call, reply);
        yield new RelayReply(done, reply.build());
      }
      case SERVER -> {
        boolean done = server.answer(client, call, reply);
        yield new RelayReply(done, reply.build());
      }
      case EVERY_CELL -> {
        reply.put("replies", Value.array(Broadcast.everyCell(backends, request, call)));
        yield new RelayReply(true, reply.build());
      }
      case HOME_COPY -> homeCopy(call.body());
    };
  }

  /** Returns a copy of the documents in the home cell; an empty one if they have not changed. */
  private RelayReply homeCopy(Document known) {
    CellBackends.Served home = backends.served(Cell.HOME);
    try (Admission _ = home.cell().admit()) {
      frontend.users().prepare();
      HomeCopy copy = HomeCopy.of(home.cell().engine());
      boolean same = known.field(HomeFollower.DIGEST).equals(Value.of(copy.digest()));
      return new RelayReply(true, same ? Document.EMPTY : copy.document());
    }
  }
}

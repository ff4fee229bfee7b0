package dev.mayfly.mongo;

import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.mongo.admin.Operations;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.mongo.command.Disconnect;
import dev.mayfly.mongo.command.ErrorLabels;
import dev.mayfly.mongo.command.Failures;
import dev.mayfly.mongo.command.NeedsMemory;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.RunningOperation;
import dev.mayfly.mongo.command.StableApi;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Command dispatcher: finds the backend of the database, runs the command and writes the reply or
 * the error.
 *
 * <p>Thread-safe; a reply belongs to the calling thread.
 */
final class Dispatcher {
  private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

  private static final Set<String> HELLO = Set.of("hello", "isMaster", "ismaster");

  /** Other commands that drivers may send as OP_QUERY, before they know the wire version. */
  private static final Set<String> HANDSHAKE =
      Set.of("buildInfo", "buildinfo", "saslStart", "saslContinue", "authenticate", "_isSelf");

  private final MongoBackends backends;
  private final Operations operations;
  private final LongSupplier clock;
  private final LongSupplier ticker;

  Dispatcher(MongoFrontend frontend, MongoBackends backends) {
    this.backends = backends;
    this.operations = frontend.monitoring().operations();
    this.clock = frontend.clock();
    this.ticker = frontend.settings().ticker();
  }

  /**
   * Whether a further reply to an exhaust message follows the one just written: the next hello, or
   * the next batch of a cursor that is still open.
   */
  boolean streams(Message.Call call) {
    if (!call.exhaust()) {
      return false;
    }
    String name = nameOf(call.body());
    Value cursor = call.body().field("getMore");
    return name.equals("getMore")
        ? cursor.type() == Type.INT64 && isOpen(cursor.asLong(), call.body().field("$db"))
        : HELLO.contains(name) && call.body().field("maxAwaitTimeMS").isNumber();
  }

  private boolean isOpen(long cursor, Value database) {
    return database.type() == Type.STRING
        && backends.of(database.asString()).cursors().isOpen(cursor);
  }

  /** Writes the reply to a message. Returns whether the command succeeded. */
  boolean answer(Client client, Message message, DocumentWriter reply) {
    Operation operation = new Operation(clock, ticker, Optional.empty());
    while (true) {
      try {
        return answer(client, message, operation, reply);
      } catch (NeedsMemory granted) {
        reply.clear();
        operation = operation.repeated();
      }
    }
  }

  /**
   * As {@link #answer(Client, Message, DocumentWriter)} for a caller that must not block. The reply
   * is valid once the pending writes are committed, and the request counts as running until {@link
   * #ended} is called.
   *
   * @throws WouldBlock if the request would block; then it has had no effect
   */
  boolean tryAnswer(Client client, Message message, PendingCommit pending, DocumentWriter reply) {
    return answer(client, message, new Operation(clock, ticker, Optional.of(pending)), reply);
  }

  /** Records that the request of a client has ended. */
  void ended(Client client, boolean done) {
    Optional<RunningOperation> running = client.running();
    client.running(null);
    running.map(RunningOperation::request).ifPresent(request -> answered(request, done));
  }

  private void answered(Request request, boolean done) {
    backends.of(request.database()).monitoring().profiler().answered(request, done);
  }

  /** Writes the reply to a message whose pending writes failed to commit. */
  void broken(Message message, RuntimeException failure, DocumentWriter reply) {
    Document body = message instanceof Message.Call call ? call.body() : Document.EMPTY;
    fail(failure, body, clock.getAsLong(), reply);
  }

  private boolean answer(
      Client client, Message message, Operation operation, DocumentWriter reply) {
    return switch (message) {
      case Message.Call call ->
          run(client, call.body(), call.sequences(), operation, !call.silent(), reply);
      case Message.Query query -> runQuery(client, query, operation, reply);
      case Message.Unreadable unreadable ->
          fail(unreadable.failure(), Document.EMPTY, operation.now(), reply);
    };
  }

  private boolean runQuery(
      Client client, Message.Query query, Operation operation, DocumentWriter reply) {
    Value wrapped = query.body().field("$query");
    Document body = wrapped.isDocument() ? wrapped.asDocument() : query.body();
    String name = nameOf(body);
    int dot = query.collection().indexOf(".$cmd");
    if (dot < 0 || !(HELLO.contains(name) || HANDSHAKE.contains(name))) {
      return fail(
          new CommandException(
              ErrorCode.UNSUPPORTED_OP_QUERY_COMMAND,
              "Unsupported OP_QUERY command: "
                  + name
                  + ". The client driver may require an upgrade."),
          body,
          operation.now(),
          reply);
    }
    Document named = with(body, "$db", query.collection().substring(0, dot));
    return run(client, named, Map.of(), operation, true, reply);
  }

  private static String nameOf(Document body) {
    Fields fields = body.fields();
    return fields.next() ? fields.name() : "";
  }

  private static Document with(Document body, String field, String value) {
    DocumentWriter writer = Document.writer();
    writer.putAll(body);
    return writer.put(field, value).build();
  }

  private boolean run(
      Client client,
      Document body,
      Map<String, List<Document>> sequences,
      Operation operation,
      boolean waitedFor,
      DocumentWriter reply) {
    try {
      Request request = new Request(client, operation, body, sequences);
      MongoBackend backend = backends.of(request.database());
      if (waitedFor) {
        request.operation().waitedForBy(client::isGone);
      }
      boolean done = false;
      operations.begin(request);
      try {
        if (backend.monitoring().profiler().profiles(request.database())) {
          // writing the profile entry may block, even if the request does not
          request.operation().mayWait();
        }
        limit(request);
        StableApi.check(request);
        backend.sessions().of(request);
        done =
            Interrupt.run(request.operation()::checkAfterSteps, () -> ran(backend, request, reply));
      } catch (WouldBlock later) {
        client.running(null);
        throw later;
      } catch (NeedsMemory needed) {
        needed.await();
        client.running(null);
        throw needed;
      } finally {
        if (operation.pending().isEmpty()) {
          ended(client, done);
        }
      }
      reply.put("ok", 1.0);
      ClusterTime.write(operation.now(), reply);
      return true;
    } catch (RuntimeException failure) {
      return fail(failure, body, operation.now(), reply);
    } catch (StackOverflowError tooDeep) {
      return fail(
          new CommandException(ErrorCode.location(17_144), "The request is nested too deep"),
          body,
          operation.now(),
          reply);
    } catch (Disconnect | WouldBlock | NeedsMemory passedOn) {
      throw passedOn;
    } catch (Error failure) {
      return writeFailure(broken(failure, body), body, operation.now(), reply);
    }
  }

  /** Returns the command failure for a Java error. The server continues. */
  private static CommandException broken(Error failure, Document body) {
    LOG.log(System.Logger.Level.ERROR, () -> "internal error in command " + nameOf(body), failure);
    boolean memory = failure instanceof OutOfMemoryError;
    return new CommandException(
        memory ? ErrorCode.EXCEEDED_MEMORY_LIMIT_TOTAL : ErrorCode.INTERNAL_ERROR,
        memory
            ? "out of memory in command " + nameOf(body)
            : "internal error in command " + nameOf(body));
  }

  private boolean ran(MongoBackend backend, Request request, DocumentWriter reply) {
    backend.commands().run(request, reply);
    return true;
  }

  /** Sets the time limit. {@code getMore} uses {@code maxTimeMS} for its wait instead. */
  private static void limit(Request request) {
    if (!request.name().equals("getMore") && request.has("maxTimeMS")) {
      long millis = request.count("maxTimeMS", 0);
      if (millis > Integer.MAX_VALUE) {
        throw new CommandException(ErrorCode.BAD_VALUE, "maxTimeMS is out of range: " + millis);
      }
      request.operation().limit(millis);
    }
  }

  private boolean fail(RuntimeException failure, Document body, long now, DocumentWriter reply) {
    CommandException refusal = Failures.translate(failure);
    if (refusal.code().equals(ErrorCode.INTERNAL_ERROR)) {
      LOG.log(
          System.Logger.Level.ERROR, () -> "internal error in command " + nameOf(body), failure);
    }
    return writeFailure(refusal, body, now, reply);
  }

  private static boolean writeFailure(
      CommandException refusal, Document body, long now, DocumentWriter reply) {
    reply.clear();
    ErrorLabels.write(ErrorLabels.of(body, refusal), reply);
    reply
        .put("ok", 0.0)
        .put("errmsg", refusal.message())
        .put("code", refusal.code().number())
        .put("codeName", refusal.code().name());
    reply.putAll(refusal.details());
    ClusterTime.write(now, reply);
    return false;
  }
}

package dev.mayfly.mongo;

import dev.mayfly.cluster.CellLoss;
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
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Command dispatcher: finds the scope of the database, runs the command there and writes the reply
 * or the error.
 *
 * <p>Thread-safe; a reply belongs to the calling thread.
 */
final class Dispatcher implements MessageHandler {
  private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

  private static final Set<String> HELLO = Set.of("hello", "isMaster", "ismaster");

  /** Other commands that drivers may send as OP_QUERY, before they know the wire version. */
  private static final Set<String> HANDSHAKE =
      Set.of("buildInfo", "buildinfo", "saslStart", "saslContinue", "authenticate", "_isSelf");

  private final Function<String, ? extends CommandScope> scopes;
  private final Operations operations;
  private final LongSupplier clock;
  private final LongSupplier ticker;
  private final boolean shared;

  /** The dispatcher of a server that is alone. */
  Dispatcher(MongoFrontend frontend, MongoBackends backends) {
    this(frontend, frontend.clock(), backends::of, false);
  }

  private Dispatcher(
      MongoFrontend frontend,
      LongSupplier clock,
      Function<String, ? extends CommandScope> scopes,
      boolean shared) {
    this.scopes = scopes;
    this.operations = frontend.monitoring().operations();
    this.clock = clock;
    this.ticker = frontend.settings().ticker();
    this.shared = shared;
  }

  /**
   * Returns the dispatcher of one scope of a server among several. It throws failures by which the
   * server has lost a cell, instead of writing them to the reply.
   *
   * @param clock the time of the scope
   */
  static Dispatcher shared(MongoFrontend frontend, LongSupplier clock, CommandScope scope) {
    return new Dispatcher(frontend, clock, _ -> scope, true);
  }

  @Override
  public boolean streams(Message.Call call) {
    if (!call.exhaust()) {
      return false;
    }
    String name = nameOf(call.body());
    Value cursor = call.body().field("getMore");
    return name.equals("getMore")
        ? cursor.type() == Type.INT64 && isOpen(cursor.asLong(), call.body().field("$db"))
        : HELLO.contains(name) && call.body().field("maxAwaitTimeMS").isNumber();
  }

  /** Returns whether a cursor is open in the scope of the database {@code admin}. */
  boolean hasCursor(long cursor) {
    return scopes.apply("admin").hasCursor(cursor);
  }

  /** Ends the reply to a command that has succeeded. */
  void succeeded(Request request, DocumentWriter reply) {
    reply.put("ok", 1.0);
    ClusterTime.write(request.now(), reply);
  }

  private boolean isOpen(long cursor, Value database) {
    return database.type() == Type.STRING && scopes.apply(database.asString()).hasCursor(cursor);
  }

  @Override
  public boolean answer(Client client, Message message, DocumentWriter reply) {
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

  @Override
  public boolean tryAnswer(
      Client client, Message message, PendingCommit pending, DocumentWriter reply) {
    return answer(client, message, new Operation(clock, ticker, Optional.of(pending)), reply);
  }

  @Override
  public void ended(Client client, boolean done) {
    Optional<RunningOperation> running = client.running();
    client.running(null);
    running.map(RunningOperation::request).ifPresent(request -> answered(request, done));
  }

  private void answered(Request request, boolean done) {
    scopes.apply(request.database()).answered(request, done);
  }

  @Override
  public void broken(Message message, RuntimeException failure, DocumentWriter reply) {
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
      CommandScope scope = scopes.apply(request.database());
      if (waitedFor) {
        request.operation().waitedForBy(client::isGone);
      }
      boolean done = false;
      operations.begin(request);
      try {
        if (scope.profiles(request.database())) {
          // writing the profile entry may block, even if the request does not
          request.operation().mayWait();
        }
        limit(request);
        StableApi.check(request);
        scope.begin(request);
        done =
            Interrupt.run(request.operation()::checkAfterSteps, () -> ran(scope, request, reply));
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
      if (shared && CellLoss.of(failure) != CellLoss.NONE) {
        throw failure;
      }
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

  private static boolean ran(CommandScope scope, Request request, DocumentWriter reply) {
    scope.run(request, reply);
    return true;
  }

  /** Sets the time limit. {@code getMore} uses {@code maxTimeMS} for its wait instead. */
  static void limit(Request request) {
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

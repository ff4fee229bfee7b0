package dev.mayfly.mongo.failpoint;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Disconnect;
import dev.mayfly.mongo.command.ErrorLabels;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Faults that tests have happen to commands, to see what their clients do then. Safe for many
 * threads.
 *
 * <p>As long as none is set, coming by costs a look at one field.
 */
public final class FailPoints {
  private static final System.Logger LOG = System.getLogger(FailPoints.class.getName());

  /** Happens in front of a command, or to its reply. */
  private static final String COMMAND = "failCommand";

  /** Happens when a request for more has found its cursor. */
  private static final String MORE = "failGetMoreAfterCursorCheckout";

  /** Happens to writes that may be sent again: before they are done, or before that is told. */
  private static final String RETRYABLE_WRITE = "onPrimaryTransactionalWrite";

  private static final String BEFORE_COMMIT = "failBeforeCommitExceptionCode";

  /** How long a request that is held up goes without asking whether it is to stop. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Map<String, FailPoint> points =
      new ConcurrentHashMap<>(
          Map.of(COMMAND, FailPoint.OFF, MORE, FailPoint.OFF, RETRYABLE_WRITE, FailPoint.OFF));

  private volatile boolean armed;

  /**
   * Sets a fault, or with mode {@code off} forgets it.
   *
   * @return how often the one before has happened
   * @throws CommandException when there is none of that name, or it makes no sense
   */
  synchronized long set(String name, Value mode, Document data) {
    if (!points.containsKey(name)) {
      throw new CommandException(new ErrorCode(266, "FailPointSetFailed"), name + " not found");
    }
    FailPoint wanted = FailPoint.of(mode, data);
    LOG.log(System.Logger.Level.INFO, () -> "fail point " + name + ": " + mode + " " + data);
    FailPoint before = points.put(name, wanted);
    armed = points.values().stream().anyMatch(point -> point != FailPoint.OFF);
    return before == null ? 0 : before.entered();
  }

  /**
   * Comes by before a command runs.
   *
   * @throws CommandException the one that is to happen to it
   * @throws Disconnect when it is to lose its connection
   */
  public void before(Request request) {
    if (armed) {
      request.operation().mayWait();
      pass(COMMAND, request, FailPoints::fails, data -> fail(request, data));
      pass(
          RETRYABLE_WRITE,
          request,
          data -> data.field(BEFORE_COMMIT).isNumber(),
          data -> {
            leave(data);
            throw failure(data.field(BEFORE_COMMIT), RETRYABLE_WRITE);
          });
    }
  }

  /** Comes by after a command ran, whose writes may be told not to be on enough servers. */
  public void after(Request request, DocumentWriter reply) {
    if (armed) {
      pass(
          COMMAND,
          request,
          data -> data.field("writeConcernError").isDocument(),
          data -> complain(request, data, reply));
      pass(
          RETRYABLE_WRITE,
          request,
          data -> !data.field(BEFORE_COMMIT).isNumber(),
          FailPoints::leave);
    }
  }

  /**
   * Comes by when a cursor goes on.
   *
   * @throws CommandException the one that is to happen to it
   */
  public void more(Request request) {
    if (armed) {
      pass(
          MORE,
          request,
          _ -> true,
          data -> {
            throw failure(data.field("errorCode"), MORE);
          });
    }
  }

  private interface Fault {
    void happen(Document data);
  }

  private void pass(String name, Request request, Predicate<Document> can, Fault fault) {
    FailPoint point = points.getOrDefault(name, FailPoint.OFF);
    Document data = point.data();
    if (can.test(data) && concerns(name, data, request) && meant(data, request) && point.enter()) {
      fault.happen(data);
    }
  }

  private static boolean concerns(String name, Document data, Request request) {
    return switch (name) {
      case COMMAND -> names(data, request);
      case RETRYABLE_WRITE -> ErrorLabels.isRetryableWrite(request.body());
      case String _ -> true;
    };
  }

  private static boolean fails(Document data) {
    return data.field("errorCode").isNumber()
        || isTrue(data.field("closeConnection"))
        || isTrue(data.field("blockConnection"));
  }

  private static boolean isTrue(Value value) {
    return value.type() == Type.BOOLEAN && value.asBoolean();
  }

  /** Whether a command is among those that are to fail. */
  private static boolean names(Document data, Request request) {
    if (request.name().equals("configureFailPoint")) {
      return false;
    }
    if (!data.field("failAllCommands").isMissing()) {
      return true;
    }
    return texts(data.field("failCommands")).stream().anyMatch(request.name()::equalsIgnoreCase);
  }

  private static List<String> texts(Value array) {
    List<String> texts = new ArrayList<>();
    if (array.isArray()) {
      Fields elements = array.asDocument().fields();
      while (elements.next()) {
        if (elements.type() == Type.STRING) {
          texts.add(elements.value().asString());
        }
      }
    }
    return texts;
  }

  /** Whether it is to happen to this client, and to what it asks about. */
  private static boolean meant(Document data, Request request) {
    Value application = data.field("appName");
    Value namespace = data.field("namespace");
    return (application.isMissing() || application.equals(Value.of(application(request))))
        && (namespace.isMissing() || namespace.equals(Value.of(about(request))));
  }

  /** What the program calls itself, be it in this very request. */
  private static String application(Request request) {
    Value introduction = request.body().field("client");
    return introduction.isDocument()
        ? Client.application(introduction.asDocument())
        : request.client().application();
  }

  private static String about(Request request) {
    Value target =
        request.name().equals("getMore") ? request.field("collection") : request.target();
    return request.database() + (target.type() == Type.STRING ? "." + target.asString() : "");
  }

  private static void fail(Request request, Document data) {
    if (isTrue(data.field("blockConnection"))) {
      block(request.operation(), data.field("blockTimeMS"));
    }
    if (isTrue(data.field("closeConnection"))) {
      throw new Disconnect();
    }
    Value code = data.field("errorCode");
    if (code.isNumber()) {
      CommandException failure = failure(code, COMMAND);
      Value labels = data.field("errorLabels");
      throw labels.isArray() ? failure.labelled(texts(labels)) : failure;
    }
  }

  private static CommandException failure(Value code, String point) {
    return new CommandException(
        code.isNumber() ? ErrorCode.of((int) code.asDouble()) : ErrorCode.INTERNAL_ERROR,
        "Failing command via '" + point + "' failpoint");
  }

  /** Ends the connection, unless that is to stay. */
  private static void leave(Document data) {
    Value close = data.field("closeConnection");
    if (close.isMissing() || isTrue(close)) {
      throw new Disconnect();
    }
  }

  private static void block(Operation operation, Value millis) {
    if (!millis.isNumber()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "must specify 'blockTimeMS' when 'blockConnection' is true");
    }
    if (millis.asDouble() < 0) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "'blockTimeMS' must be non-negative");
    }
    long until = operation.runningNanos() + TimeUnit.MILLISECONDS.toNanos((long) millis.asDouble());
    operation.waits(() -> awaited(operation, until));
    operation.check();
  }

  /** Waits as long as the operation may; true when all of the time has passed. */
  private static boolean awaited(Operation operation, long until) {
    long left = until - operation.runningNanos();
    while (left > 0) {
      operation.check();
      LockSupport.parkNanos(Math.min(left, Math.min(SLICE_NANOS, operation.leftNanos())));
      left = until - operation.runningNanos();
    }
    return true;
  }

  /** Says in a reply what a test wants it to say of the write concern. */
  private static void complain(Request request, Document data, DocumentWriter reply) {
    Document error = data.field("writeConcernError").asDocument();
    reply.put("writeConcernError", error);
    Value wanted = data.field("errorLabels");
    Value code = error.field("code");
    List<String> labels =
        wanted.isArray() || !code.isNumber()
            ? texts(wanted)
            : ErrorLabels.ofWriteConcern(request.body(), (int) code.asDouble());
    ErrorLabels.write(labels, reply);
  }
}

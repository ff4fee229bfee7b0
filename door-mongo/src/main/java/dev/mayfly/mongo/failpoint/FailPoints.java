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
 * Fail points of a server, with which tests check how clients handle faults. Thread-safe.
 *
 * <p>While none is set, a command pays for one read of a field.
 */
public final class FailPoints {
  private static final System.Logger LOG = System.getLogger(FailPoints.class.getName());

  /** Acts before a command, or on its reply. */
  private static final String COMMAND = "failCommand";

  /** Acts when {@code getMore} has found its cursor. */
  private static final String GET_MORE = "failGetMoreAfterCursorCheckout";

  /** Acts on retryable writes: before they run, or before the reply is sent. */
  private static final String RETRYABLE_WRITE = "onPrimaryTransactionalWrite";

  private static final String BEFORE_COMMIT = "failBeforeCommitExceptionCode";

  /** The interval at which a blocked command checks for {@code killOp} and {@code maxTimeMS}. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Map<String, FailPoint> points =
      new ConcurrentHashMap<>(
          Map.of(COMMAND, FailPoint.OFF, GET_MORE, FailPoint.OFF, RETRYABLE_WRITE, FailPoint.OFF));

  private volatile boolean armed;

  /**
   * Sets a fail point. Mode {@code off} removes it.
   *
   * @return the number of faults that the previous setting has injected
   * @throws CommandException if the name is unknown, or mode or data are invalid
   */
  synchronized long set(String name, Value mode, Document data) {
    if (!points.containsKey(name)) {
      throw new CommandException(new ErrorCode(266, "FailPointSetFailed"), name + " not found");
    }
    FailPoint next = FailPoint.of(mode, data);
    LOG.log(System.Logger.Level.INFO, () -> "fail point " + name + ": " + mode + " " + data);
    FailPoint before = points.put(name, next);
    armed = points.values().stream().anyMatch(point -> point != FailPoint.OFF);
    return before == null ? 0 : before.entered();
  }

  /**
   * Called before a command runs.
   *
   * @throws CommandException the injected error
   * @throws Disconnect if the fault closes the connection
   */
  public void before(Request request) {
    if (armed) {
      request.operation().mayWait();
      trigger(COMMAND, request, FailPoints::fails, data -> fail(request, data));
      trigger(
          RETRYABLE_WRITE,
          request,
          data -> data.field(BEFORE_COMMIT).isNumber(),
          data -> {
            disconnect(data);
            throw failure(data.field(BEFORE_COMMIT), RETRYABLE_WRITE);
          });
    }
  }

  /**
   * Called after a command has run. May add a write concern error to the reply.
   *
   * @throws Disconnect if the fault closes the connection
   */
  public void after(Request request, DocumentWriter reply) {
    if (armed) {
      trigger(
          COMMAND,
          request,
          data -> data.field("writeConcernError").isDocument(),
          data -> addWriteConcernError(request, data, reply));
      trigger(
          RETRYABLE_WRITE,
          request,
          data -> !data.field(BEFORE_COMMIT).isNumber(),
          FailPoints::disconnect);
    }
  }

  /**
   * Called when {@code getMore} continues a cursor.
   *
   * @throws CommandException the injected error
   */
  public void onGetMore(Request request) {
    if (armed) {
      trigger(
          GET_MORE,
          request,
          _ -> true,
          data -> {
            throw failure(data.field("errorCode"), GET_MORE);
          });
    }
  }

  private interface Fault {
    void inject(Document data);
  }

  private void trigger(String name, Request request, Predicate<Document> applicable, Fault fault) {
    FailPoint point = points.getOrDefault(name, FailPoint.OFF);
    Document data = point.data();
    if (applicable.test(data)
        && affects(name, data, request)
        && matches(data, request)
        && point.enter()) {
      fault.inject(data);
    }
  }

  private static boolean affects(String name, Document data, Request request) {
    return switch (name) {
      case COMMAND -> namesCommand(data, request);
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

  /** Whether the command is in {@code failCommands}. */
  private static boolean namesCommand(Document data, Request request) {
    if (request.name().equals("configureFailPoint")) {
      return false;
    }
    if (!data.field("failAllCommands").isMissing()) {
      return true;
    }
    return strings(data.field("failCommands")).stream().anyMatch(request.name()::equalsIgnoreCase);
  }

  private static List<String> strings(Value array) {
    List<String> strings = new ArrayList<>();
    if (array.isArray()) {
      Fields elements = array.asDocument().fields();
      while (elements.next()) {
        if (elements.type() == Type.STRING) {
          strings.add(elements.value().asString());
        }
      }
    }
    return strings;
  }

  /** Whether client and namespace match {@code appName} and {@code namespace}. */
  private static boolean matches(Document data, Request request) {
    Value application = data.field("appName");
    Value namespace = data.field("namespace");
    return (application.isMissing() || application.equals(Value.of(application(request))))
        && (namespace.isMissing() || namespace.equals(Value.of(namespaceOf(request))));
  }

  /** Returns the application name, which may be in this request itself. */
  private static String application(Request request) {
    Value introduction = request.body().field("client");
    return introduction.isDocument()
        ? Client.application(introduction.asDocument())
        : request.client().application();
  }

  private static String namespaceOf(Request request) {
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
      throw labels.isArray() ? failure.labelled(strings(labels)) : failure;
    }
  }

  private static CommandException failure(Value code, String point) {
    return new CommandException(
        code.isNumber() ? ErrorCode.of((int) code.asDouble()) : ErrorCode.INTERNAL_ERROR,
        "Failing command via '" + point + "' failpoint");
  }

  /** Closes the connection, unless {@code closeConnection} is false. */
  private static void disconnect(Document data) {
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
    operation.waits(() -> await(operation, until));
    operation.check();
  }

  /** Waits until the time, or fails if the operation is interrupted. Returns true. */
  private static boolean await(Operation operation, long until) {
    long left = until - operation.runningNanos();
    while (left > 0) {
      operation.check();
      LockSupport.parkNanos(Math.min(left, Math.min(SLICE_NANOS, operation.leftNanos())));
      left = until - operation.runningNanos();
    }
    return true;
  }

  /** Adds the write concern error of the fail point to the reply. */
  private static void addWriteConcernError(Request request, Document data, DocumentWriter reply) {
    Document error = data.field("writeConcernError").asDocument();
    reply.put("writeConcernError", error);
    Value configured = data.field("errorLabels");
    Value code = error.field("code");
    List<String> labels =
        configured.isArray() || !code.isNumber()
            ? strings(configured)
            : ErrorLabels.ofWriteConcern(request.body(), (int) code.asDouble());
    ErrorLabels.write(labels, reply);
  }
}

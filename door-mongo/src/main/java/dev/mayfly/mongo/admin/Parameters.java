package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Server parameters of {@code getParameter} and {@code setParameter}, by name. Thread-safe. */
public final class Parameters {
  private static final String CURSOR_TIMEOUT = "cursorTimeoutMillis";

  private final Map<String, Parameter> all = new TreeMap<>();

  /** The effect of setting a parameter. */
  enum Effect {
    /** The server uses the new value. */
    FULL,
    /** The value is stored and returned, but not used: the sweep does not need it. */
    NONE,
    /** It cannot be set. */
    FIXED
  }

  /**
   * One parameter.
   *
   * @param write checks and sets a value
   */
  record Parameter(Effect effect, Supplier<Value> read, Consumer<Value> write) {}

  public Parameters(TtlMonitor ttl, Cursors cursors, boolean testCommands) {
    fixed("enableTestCommands", Value.of(testCommands));
    all.put(
        CURSOR_TIMEOUT,
        new Parameter(
            Effect.FULL,
            () -> Value.of(TimeUnit.NANOSECONDS.toMillis(cursors.idleNanos())),
            value ->
                cursors.idleNanos(TimeUnit.MILLISECONDS.toNanos(above(CURSOR_TIMEOUT, value, 0)))));
    fixed(
        "featureCompatibilityVersion",
        Value.of(
            Document.writer()
                .put("version", SetFeatureCompatibilityVersionCommand.VERSION)
                .build()));
    fixed("authSchemaVersion", Value.of(5));
    fixed("authenticationMechanisms", mechanisms());
    fixed("quiet", Value.FALSE);
    fixed("ttlMonitorMaxMetadataRecoveryThreads", Value.of(5));
    all.put(
        "ttlMonitorEnabled",
        new Parameter(
            Effect.FULL,
            () -> Value.of(ttl.enabled()),
            value -> ttl.enabled(flag("ttlMonitorEnabled", value))));
    all.put(
        "ttlMonitorSleepSecs",
        new Parameter(
            Effect.FULL,
            () -> Value.of((int) ttl.sleepSeconds()),
            value -> ttl.sleepSeconds(above("ttlMonitorSleepSecs", value, 0))));
    storedFlag("ttlMonitorBatchDeletes", true);
    stored("ttlMonitorSubPassTargetSecs", 60, -1);
    stored("ttlIndexDeleteTargetDocs", 50_000, -1);
    stored("ttlIndexDeleteTargetTimeMS", 1_000, -1);
    stored("ttlCollLowPrioritySubpassLimit", 10, 0);
    stored("batchedDeletesTargetBatchDocs", 10, -1);
    stored("batchedDeletesTargetBatchTimeMS", 5, -1);
    stored("batchedDeletesTargetStagedDocBytes", 2_097_152, -1);
  }

  private static Value mechanisms() {
    return Value.array(java.util.List.of(Value.of("SCRAM-SHA-1"), Value.of("SCRAM-SHA-256")));
  }

  private void fixed(String name, Value value) {
    Consumer<Value> reject =
        _ -> {
          throw new CommandException(
              ErrorCode.ILLEGAL_OPERATION, "not allowed to change [" + name + "] at runtime");
        };
    all.put(name, new Parameter(Effect.FIXED, () -> value, reject));
  }

  private void stored(String name, int initial, int above) {
    AtomicReference<Value> stored = new AtomicReference<>(Value.of(initial));
    Consumer<Value> write = value -> stored.set(Value.of((int) above(name, value, above)));
    all.put(name, new Parameter(Effect.NONE, stored::get, write));
  }

  private void storedFlag(String name, boolean initial) {
    AtomicReference<Value> stored = new AtomicReference<>(Value.of(initial));
    Consumer<Value> write = value -> stored.set(Value.of(flag(name, value)));
    all.put(name, new Parameter(Effect.NONE, stored::get, write));
  }

  private static boolean flag(String name, Value value) {
    if (value.type() == Type.BOOLEAN) {
      return value.asBoolean();
    }
    if (value.isNumber()) {
      return value.asDouble() != 0;
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE, "Failed parsing parameter " + name + ": not a boolean: " + value);
  }

  private static long above(String name, Value value, int bound) {
    double number = value.isNumber() ? value.asDouble() : Double.NaN;
    if (number != Math.rint(number) || number > Integer.MAX_VALUE) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Failed parsing parameter " + name + ": not an integer: " + value);
    }
    if (number <= bound) {
      String text = String.valueOf((long) number);
      String rule =
          bound == 0 ? " is not greater than 0" : " is not greater than or equal to " + (bound + 1);
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Invalid value for parameter " + name + ": " + text + rule);
    }
    return (long) number;
  }

  Optional<Parameter> find(String name) {
    return Optional.ofNullable(all.get(name));
  }

  /** Returns all parameters, sorted by name. */
  Map<String, Parameter> all() {
    return all;
  }
}

package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Map;
import java.util.Set;

/**
 * Read concern of a request.
 *
 * @param snapshot whether the level is {@code snapshot}
 * @param linearizable whether the level is {@code linearizable}
 * @param atClusterTime the timestamp to read at; missing if the server chooses it
 */
public record ReadConcern(boolean snapshot, boolean linearizable, Value atClusterTime) {
  private static final String FIELD = "readConcern";
  private static final String AT = "atClusterTime";
  private static final Set<String> LEVELS =
      Set.of("local", "available", "majority", "linearizable", "snapshot");

  /** The read concern of a request. */
  public static ReadConcern of(Request request) {
    Value requested = request.body().field(FIELD);
    if (!requested.isDocument()) {
      return new ReadConcern(false, false, Value.MISSING);
    }
    Value level = requested.asDocument().field("level");
    Value at = requested.asDocument().field(AT);
    check(level);
    boolean snapshot = level.equals(Value.of("snapshot"));
    if (!at.isMissing() && (!snapshot || at.type() != Type.TIMESTAMP)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "readConcern.atClusterTime must be a timestamp, and requires readConcern.level snapshot");
    }
    return new ReadConcern(snapshot, level.equals(Value.of("linearizable")), at);
  }

  private static void check(Value level) {
    if (level.isMissing() || level.isNull()) {
      return;
    }
    if (level.type() != Type.STRING) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "BSON field 'readConcern.level' must be a string");
    }
    if (!LEVELS.contains(level.asString())) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Enumeration value '"
              + level.asString()
              + "' for field 'readConcern.level' is not a valid value.");
    }
  }

  /** The same request with read concern snapshot at a time. */
  public static Request at(Request request, Value clusterTime) {
    Document concern = Document.writer().put("level", "snapshot").put(AT, clusterTime).build();
    DocumentWriter body = Document.writer();
    Fields fields = request.body().fields();
    while (fields.next()) {
      if (!fields.name().equals(FIELD)) {
        body.put(fields);
      }
    }
    return new Request(
        request.client(), request.operation(), body.put(FIELD, concern).build(), Map.of());
  }

  /** Writes the {@code atClusterTime} of a snapshot read to its reply. */
  public static void report(Request request, DocumentWriter reply) {
    if (request.has(FIELD)) {
      reply.put(AT, of(request).atClusterTime());
    }
  }
}

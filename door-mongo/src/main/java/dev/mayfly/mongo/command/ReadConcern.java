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
 * Which instant a client wants to read as of.
 *
 * @param snapshot whether all that is read is of one instant that others can read, too
 * @param linearizable whether nobody may have become the primary unnoticed
 * @param atClusterTime that instant as a timestamp; missing for one of the server's choice
 */
public record ReadConcern(boolean snapshot, boolean linearizable, Value atClusterTime) {
  private static final String FIELD = "readConcern";
  private static final String AT = "atClusterTime";
  private static final Set<String> LEVELS =
      Set.of("local", "available", "majority", "linearizable", "snapshot");

  /** What a request asks for. */
  public static ReadConcern of(Request request) {
    Value asked = request.body().field(FIELD);
    if (!asked.isDocument()) {
      return new ReadConcern(false, false, Value.MISSING);
    }
    Value level = asked.asDocument().field("level");
    Value at = asked.asDocument().field(AT);
    check(level);
    boolean snapshot = level.equals(Value.of("snapshot"));
    if (!at.isMissing() && (!snapshot || at.type() != Type.TIMESTAMP)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "readConcern.atClusterTime is a timestamp, and for readConcern.level snapshot only");
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

  /** A request that asks for the same, as of an instant. */
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

  /** Says in a reply which instant it is of, if that is one that others can read, too. */
  public static void report(Request request, DocumentWriter reply) {
    if (request.has(FIELD)) {
      reply.put(AT, of(request).atClusterTime());
    }
  }
}

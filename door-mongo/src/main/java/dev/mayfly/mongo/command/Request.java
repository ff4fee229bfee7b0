package dev.mayfly.mongo.command;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of a command: its name, fields, client and operation.
 *
 * <p>Fields are read by name and type; a null field counts as absent. A field of the wrong type
 * fails as in MongoDB. Example: {@code request.count("limit", 0)} returns 0 if the field is absent
 * and fails with BadValue if it is negative.
 */
public final class Request {
  /** Fields that every command may have. */
  private static final Set<String> GENERIC =
      Set.of(
          "$db",
          "lsid",
          "txnNumber",
          "autocommit",
          "startTransaction",
          "stmtId",
          "stmtIds",
          "readConcern",
          "writeConcern",
          "maxTimeMS",
          "comment",
          "$readPreference",
          "$clusterTime",
          "$audit",
          "$client",
          "$configServerState",
          "apiVersion",
          "apiStrict",
          "apiDeprecationErrors",
          "mayBypassWriteBlocking",
          "rawData");

  private final Client client;
  private final Operation operation;
  private final Document body;
  private final Map<String, List<Document>> sequences;
  private final String name;
  private final Value target;
  private final String database;
  private @Nullable Namespace namespace;

  /** A request of a client: its body and its document sequences. */
  public Request(
      Client client, Operation operation, Document body, Map<String, List<Document>> sequences) {
    this.client = client;
    this.operation = operation;
    this.body = body;
    this.sequences = sequences;
    Fields fields = body.fields();
    if (!fields.next()) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "a command has at least one field");
    }
    this.name = fields.name();
    this.target = fields.value();
    Value named = body.field("$db");
    if (named.type() != Type.STRING) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD, "BSON field '" + name + ".$db' is missing but a required field");
    }
    this.database = named.asString();
    for (String field : sequences.keySet()) {
      // otherwise access check and command could read different values
      if (!body.field(field).isMissing()) {
        throw new CommandException(
            ErrorCode.location(40433),
            "Duplicate field between body and document sequence " + field);
      }
    }
  }

  /**
   * The command that an {@code explain} contains.
   *
   * @throws CommandException if it is missing or names another database
   */
  public Request explained() {
    if (target.type() != Type.OBJECT) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field 'explain.explain' is the wrong type, expected type 'object'");
    }
    Document command = target.asDocument();
    Value inner = command.field("$db");
    if (!inner.isMissing() && !inner.equals(Value.of(database))) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Mismatched $db in explain command. Expected " + database + " but got " + inner);
    }
    if (inner.isMissing()) {
      DocumentWriter withDatabase = Document.writer();
      withDatabase.putAll(command);
      command = withDatabase.put("$db", database).build();
    }
    return new Request(client, operation, command, Map.of());
  }

  /** Whether every command may have a field of this name. */
  public static boolean generic(String field) {
    return GENERIC.contains(field);
  }

  public Client client() {
    return client;
  }

  /** The context of the running request. */
  public Operation operation() {
    return operation;
  }

  /** The instant of the operation: every part of a command uses this one. */
  public long now() {
    return operation.now();
  }

  /** Fails if the request was killed or has exceeded its time limit. */
  public void check() {
    operation.check();
  }

  public Document body() {
    return body;
  }

  /** Its length in bytes, document sequences included. */
  public long length() {
    long inSequences = 0;
    for (List<Document> documents : sequences.values()) {
      for (Document document : documents) {
        inSequences += document.length();
      }
    }
    return body.length() + inSequences;
  }

  /** The command's name as it was sent. */
  public String name() {
    return name;
  }

  /** The value of the field that names the command. */
  public Value target() {
    return target;
  }

  public String database() {
    return database;
  }

  /** The collection that the command targets. */
  public Namespace namespace() {
    Namespace known = namespace;
    if (known == null) {
      known = named();
      namespace = known;
    }
    return known;
  }

  private Namespace named() {
    if (target.type() != Type.STRING) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "collection name has invalid type " + TypeNames.of(target.type()));
    }
    return Names.namespace(database, target.asString());
  }

  /**
   * Fails if there are fields that are neither generic nor among these.
   *
   * @throws CommandException UNKNOWN_FIELD
   */
  public void allow(Set<String> own) {
    Fields fields = body.fields();
    fields.next();
    while (fields.next()) {
      String field = fields.name();
      if (!own.contains(field) && !GENERIC.contains(field)) {
        throw new CommandException(
            ErrorCode.UNKNOWN_FIELD,
            "BSON field '" + name + "." + field + "' is an unknown field.");
      }
    }
  }

  /** A field of the body; missing if it is null. */
  public Value field(String field) {
    Value value = body.field(field);
    return value.isNull() ? Value.MISSING : value;
  }

  public boolean has(String field) {
    return !field(field).isMissing();
  }

  /** A boolean, or a number that counts as true unless it is 0. */
  public boolean flag(String field, boolean otherwise) {
    Value value = field(field);
    if (value.isMissing()) {
      return otherwise;
    }
    if (value.type() == Type.BOOLEAN) {
      return value.asBoolean();
    }
    if (value.isNumber()) {
      return value.asDouble() != 0;
    }
    throw wrongType(field, value, "[bool, long, int, decimal, double']");
  }

  /** A number without its fraction; one out of range becomes the nearest long. */
  public long number(String field, long otherwise) {
    Value value = field(field);
    if (value.isMissing()) {
      return otherwise;
    }
    if (!value.isNumber()) {
      throw wrongType(field, value, "[long, int, decimal, double']");
    }
    return value.type() == Type.INT64 ? value.asLong() : (long) value.asDouble();
  }

  /** A number without its fraction, as {@link #number}, that must be there. */
  public long requiredNumber(String field) {
    if (!has(field)) {
      throw missing(field);
    }
    return number(field, 0);
  }

  /** A number that must not be negative. */
  public long count(String field, long otherwise) {
    long value = number(field, otherwise);
    if (value < 0) {
      throw CommandException.outOfBounds(field, ">= 0", value);
    }
    return value;
  }

  public String text(String field, String otherwise) {
    Value value = field(field);
    if (value.isMissing()) {
      return otherwise;
    }
    if (value.type() != Type.STRING) {
      throw wrongType(field, value, "string");
    }
    return value.asString();
  }

  /** A date, in epoch milliseconds. */
  public long date(String field, long otherwise) {
    Value value = field(field);
    if (value.isMissing()) {
      return otherwise;
    }
    if (value.type() != Type.DATE) {
      throw wrongType(field, value, "date");
    }
    return value.asDate();
  }

  public Document document(String field) {
    Value value = field(field);
    if (value.isMissing()) {
      return Document.EMPTY;
    }
    if (value.type() != Type.OBJECT) {
      throw wrongType(field, value, "object");
    }
    return value.asDocument();
  }

  private CommandException missing(String field) {
    return new CommandException(
        ErrorCode.MISSING_FIELD,
        "BSON field '" + name + "." + field + "' is missing but a required field");
  }

  /** The document sequences by the names of their fields. */
  public Map<String, List<Document>> sequences() {
    return sequences;
  }

  /** Documents from an array or from a document sequence. */
  public List<Document> documents(String field) {
    List<Document> sequence = sequences.get(field);
    if (sequence != null) {
      return sequence;
    }
    Value value = field(field);
    if (value.isMissing()) {
      throw missing(field);
    }
    if (value.type() != Type.ARRAY) {
      throw wrongType(field, value, "array");
    }
    List<Document> documents = new ArrayList<>();
    Fields elements = value.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.OBJECT) {
        throw wrongType(field + "." + elements.name(), elements.value(), "object");
      }
      documents.add(elements.value().asDocument());
    }
    return documents;
  }

  /** The session that the request names, if any. */
  public Optional<Document> session() {
    Document lsid = document("lsid");
    return lsid.isEmpty() ? Optional.empty() : Optional.of(lsid);
  }

  private CommandException wrongType(String field, Value value, String expected) {
    String wanted =
        expected.startsWith("[")
            ? "expected types '" + expected
            : "expected type '" + expected + "'";
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field '"
            + name
            + "."
            + field
            + "' is the wrong type '"
            + TypeNames.of(value.type())
            + "', "
            + wanted);
  }
}

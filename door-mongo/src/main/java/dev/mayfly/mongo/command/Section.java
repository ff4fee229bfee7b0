package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Set;

/**
 * A nested document of a request, with typed access to its fields as in {@link Request}.
 *
 * @param path its position for error messages, such as {@code collMod.index}
 */
public record Section(String path, Document fields) {
  /**
   * Fails if there are fields other than these.
   *
   * @throws CommandException UNKNOWN_FIELD
   */
  public Section allow(Set<String> own) {
    Fields all = fields.fields();
    while (all.next()) {
      if (!own.contains(all.name())) {
        throw new CommandException(
            ErrorCode.UNKNOWN_FIELD,
            "BSON field '" + path + "." + all.name() + "' is an unknown field.");
      }
    }
    return this;
  }

  /** A field; missing if it is null. */
  public Value field(String name) {
    Value value = fields.field(name);
    return value.isNull() ? Value.MISSING : value;
  }

  public boolean has(String name) {
    return !field(name).isMissing();
  }

  /** A field; fails if it is missing. */
  public Value required(String name) {
    Value value = field(name);
    if (value.isMissing()) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD,
          "BSON field '" + path + "." + name + "' is missing but a required field");
    }
    return value;
  }

  /** A boolean, or a number that counts as true unless it is 0; false if it is missing. */
  public boolean flag(String name) {
    Value value = field(name);
    return switch (value.type()) {
      case MISSING -> false;
      case BOOLEAN -> value.asBoolean();
      case INT32, INT64, DOUBLE, DECIMAL128 -> value.asDouble() != 0;
      case Type _ -> throw wrongType(name, "types '[bool, long, int, decimal, double']");
    };
  }

  /** A number without its fraction; one out of range becomes the nearest long, NaN becomes 0. */
  public long number(String name) {
    Value value = field(name);
    if (!value.isNumber()) {
      throw wrongType(name, "types '[long, int, decimal, double']");
    }
    return value.type() == Type.INT64 ? value.asLong() : (long) value.asDouble();
  }

  public String text(String name) {
    Value value = field(name);
    if (value.type() != Type.STRING) {
      throw wrongType(name, "type 'string'");
    }
    return value.asString();
  }

  public Document document(String name) {
    Value value = field(name);
    if (value.type() != Type.OBJECT) {
      throw wrongType(name, "type 'object'");
    }
    return value.asDocument();
  }

  /** The exception for a field of the wrong type. */
  public CommandException wrongType(String name, String expected) {
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field '"
            + path
            + "."
            + name
            + "' is the wrong type '"
            + TypeNames.of(field(name).type())
            + "', expected "
            + expected);
  }
}

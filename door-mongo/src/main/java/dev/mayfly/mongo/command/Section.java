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
 * A document inside a request, read by name and type as the {@linkplain Request request} itself.
 *
 * @param path where it stands, such as {@code collMod.index}
 */
public record Section(String path, Document fields) {
  /**
   * Refuses fields other than these.
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

  /** A field; missing when it is null too. */
  public Value field(String name) {
    Value value = fields.field(name);
    return value.isNull() ? Value.MISSING : value;
  }

  public boolean has(String name) {
    return !field(name).isMissing();
  }

  /** A field that must be there. */
  public Value required(String name) {
    Value value = field(name);
    if (value.isMissing()) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD,
          "BSON field '" + path + "." + name + "' is missing but a required field");
    }
    return value;
  }

  /** A truth, or a number that is one unless it is 0. */
  public boolean flag(String name) {
    Value value = field(name);
    return switch (value.type()) {
      case MISSING -> false;
      case BOOLEAN -> value.asBoolean();
      case INT32, INT64, DOUBLE, DECIMAL128 -> value.asDouble() != 0;
      case Type _ -> throw wrongType(name, "types '[bool, long, int, decimal, double']");
    };
  }

  /** A number without its fraction: the nearest that 64 bits hold, 0 for what is none. */
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

  /** That a field is of another type than it must be. */
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

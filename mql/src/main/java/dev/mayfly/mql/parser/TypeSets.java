package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Parser of sets of BSON types: names, numbers or an array of both. */
final class TypeSets {
  private static final Map<String, Type> BY_NAME = byName();
  private static final Set<Type> NUMBERS =
      EnumSet.of(Type.INT32, Type.INT64, Type.DOUBLE, Type.DECIMAL128);

  private TypeSets() {}

  /** Parses the types. */
  static Set<Type> parse(String path, Value syntax) {
    Set<Type> types = EnumSet.noneOf(Type.class);
    if (syntax.isArray()) {
      Fields elements = syntax.asDocument().fields();
      while (elements.next()) {
        add(elements.value(), types);
      }
    } else {
      add(syntax, types);
    }
    if (types.isEmpty()) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, path + " must match at least one type");
    }
    return types;
  }

  private static void add(Value syntax, Set<Type> types) {
    if (syntax.type() == Type.STRING) {
      addNamed(syntax.asString(), types);
    } else if (syntax.isNumber()) {
      types.add(numbered(syntax));
    } else {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "type must be represented as a number or a string");
    }
  }

  static void addNamed(String name, Set<Type> types) {
    if (name.equals("number")) {
      types.addAll(NUMBERS);
      return;
    }
    Type type = BY_NAME.get(name);
    if (type == null) {
      throw bad("Unknown type name alias: " + name);
    }
    types.add(type);
  }

  private static Type numbered(Value syntax) {
    int code = syntax.asInt();
    if (syntax.asDouble() == code) {
      if (code == 0) {
        throw bad("Invalid numerical type code: 0. Instead use {$exists:false}.");
      }
      for (Type type : Type.values()) {
        if (type != Type.MISSING && type.code() == code) {
          return type;
        }
      }
    }
    throw bad("Invalid numerical type code: " + ShellText.of(syntax));
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  private static Map<String, Type> byName() {
    Map<String, Type> names = new HashMap<>();
    for (Type type : Type.values()) {
      if (type != Type.MISSING) {
        names.put(TypeNames.of(type), type);
      }
    }
    return Map.copyOf(names);
  }
}

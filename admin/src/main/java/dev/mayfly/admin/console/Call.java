package dev.mayfly.admin.console;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One request of the console: its user, the engine that it concerns, the names in its path, its
 * body.
 *
 * @param engines returns the engine; fails for a request that concerns no single engine
 * @param names values of the wildcards in the path
 * @param stopped whether the browser no longer waits, or has cancelled the request
 */
record Call(
    Caller caller,
    Supplier<Engine> engines,
    List<String> names,
    Document body,
    BooleanSupplier stopped) {
  Call {
    names = List.copyOf(names);
  }

  /** Returns the engine that the request concerns. */
  Engine engine() {
    return engines.get();
  }

  Call on(Engine engine) {
    return new Call(caller, () -> engine, names, body, stopped);
  }

  Call named(List<String> wildcards) {
    return new Call(caller, engines, wildcards, body, stopped);
  }

  /** The collection or container in the path. */
  Namespace namespace() {
    return new Namespace(names.getFirst(), names.get(1));
  }

  boolean has(String name) {
    return !body.field(name).isMissing() && !body.field(name).isNull();
  }

  /** Returns a field with a string. */
  String text(String name) {
    if (body.field(name).type() != Type.STRING) {
      throw Refusal.wrong("'" + name + "' must be a string.");
    }
    return body.field(name).asString();
  }

  /** Returns a field with a string, or a default if it is missing. */
  String text(String name, String standard) {
    return has(name) ? text(name) : standard;
  }

  /** Returns a field with an integer within bounds, or a default if it is missing. */
  int number(String name, int standard, int min, int max) {
    if (!has(name)) {
      return standard;
    }
    Value value = body.field(name);
    boolean whole = value.type() == Type.INT32 || value.type() == Type.INT64;
    if (!whole || value.asLong() < min || value.asLong() > max) {
      throw Refusal.wrong("'" + name + "' must be an integer from " + min + " to " + max + ".");
    }
    return (int) value.asLong();
  }

  boolean flag(String name) {
    return body.field(name).equals(Value.TRUE);
  }

  /** Returns a field with an array of strings; empty if it is missing. */
  List<String> texts(String name, int most) {
    List<String> texts = new ArrayList<>();
    if (!has(name)) {
      return texts;
    }
    if (!body.field(name).isArray()) {
      throw Refusal.wrong("'" + name + "' must be an array of strings.");
    }
    Fields each = body.field(name).asDocument().fields();
    while (each.next()) {
      if (each.type() != Type.STRING || texts.size() == most) {
        throw Refusal.wrong("'" + name + "' must be an array of at most " + most + " strings.");
      }
      texts.add(each.value().asString());
    }
    return texts;
  }
}

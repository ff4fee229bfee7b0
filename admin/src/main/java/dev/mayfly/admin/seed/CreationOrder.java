package dev.mayfly.admin.seed;

import dev.mayfly.admin.seed.Definitions.Kind;
import dev.mayfly.admin.seed.Seed.Part;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Order in which the parts of a seed are created: each after those that its definition names. These
 * are the collection of a view, the target of an action on expiry, and the collection that another
 * one expires with, which must exist.
 */
final class CreationOrder {
  private final Map<String, Part> parts = new HashMap<>();
  private final Set<Part> begun = new LinkedHashSet<>();
  private final List<Part> order = new ArrayList<>();

  private CreationOrder() {}

  static List<Part> of(List<Part> parts) {
    CreationOrder order = new CreationOrder();
    parts.forEach(part -> order.parts.put(name(part.kind(), part.database(), part.name()), part));
    parts.forEach(order::add);
    return order.order;
  }

  /** Parts that name each other stay in the order of the seed; the doors refuse them. */
  private void add(Part part) {
    if (!begun.add(part)) {
      return;
    }
    for (String name : named(part)) {
      Part first = parts.get(name);
      if (first != null) {
        add(first);
      }
    }
    order.add(part);
  }

  private static List<String> named(Part part) {
    Document definition = part.definition();
    return switch (part.kind()) {
      case MONGO ->
          List.of(
              name(Kind.MONGO, part.database(), text(definition, "options", "viewOn")),
              text(definition, "options", "mayflyOnExpire", "moveTo"),
              name(
                  Kind.MONGO,
                  part.database(),
                  text(definition, "options", "mayflyExpiresWith", "collection")));
      case COSMOS ->
          List.of(
              text(definition, "mayfly", "onExpire", "moveTo"),
              name(
                  Kind.COSMOS,
                  part.database(),
                  text(definition, "mayfly", "expiresWith", "container")));
    };
  }

  /** The text at a path; empty if there is none. */
  private static String text(Document definition, String... path) {
    Value value = Value.of(definition);
    for (String step : path) {
      value = value.isDocument() ? value.asDocument().field(step) : Value.MISSING;
    }
    return value.type() == Type.STRING ? value.asString() : "";
  }

  /** A name as actions on expiry write it. */
  private static String name(Kind kind, String database, String name) {
    return (kind == Kind.COSMOS ? "cosmos:" : "") + database + "." + name;
  }
}

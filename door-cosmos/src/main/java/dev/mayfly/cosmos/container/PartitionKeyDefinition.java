package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Partition key definition of a container.
 *
 * @param paths of the values; empty if the container was created without a partition key
 * @param version of the hash that clients compute: 1 or 2
 * @param system whether the container was created without a partition key
 */
public record PartitionKeyDefinition(
    List<FieldPath> paths, Kind kind, int version, boolean system) {
  private static final int MAX_LEVELS = 3;
  private static final String SYSTEM_PATH = "/_partitionKey";

  /** How values are hashed. */
  public enum Kind {
    /** One value. */
    HASH("Hash"),
    /** Up to three values, from the widest to the narrowest. */
    MULTI_HASH("MultiHash");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    private static Kind of(Value value, int paths) {
      if (Elements.absent(value)) {
        return paths > 1 ? MULTI_HASH : HASH;
      }
      for (Kind kind : values()) {
        if (value.type() == Type.STRING && kind.word.equalsIgnoreCase(value.asString())) {
          return kind;
        }
      }
      throw CosmosException.wrong("The partition key kind must be 'Hash' or 'MultiHash'.");
    }
  }

  /** Key of containers created without one: the id alone identifies an item. */
  public static final PartitionKeyDefinition SYSTEM =
      new PartitionKeyDefinition(List.of(), Kind.HASH, 2, true);

  public PartitionKeyDefinition {
    paths = List.copyOf(paths);
  }

  /**
   * Parses the definition in the body of a container.
   *
   * @throws CosmosException 400
   */
  public static PartitionKeyDefinition of(Value value) {
    if (Elements.absent(value)) {
      return SYSTEM;
    }
    if (!value.isDocument()) {
      throw CosmosException.wrong("The partition key definition must be an object.");
    }
    Document form = value.asDocument();
    Value system = form.field("systemKey");
    if (system.type() == Type.BOOLEAN && system.asBoolean()) {
      return SYSTEM;
    }
    List<FieldPath> paths = paths(form.field("paths"));
    Kind kind = Kind.of(form.field("kind"), paths.size());
    check(kind, paths);
    return new PartitionKeyDefinition(paths, kind, version(form.field("version"), kind), false);
  }

  private static List<FieldPath> paths(Value list) {
    if (!list.isArray()) {
      throw CosmosException.wrong("The partition key definition must have an array of 'paths'.");
    }
    List<FieldPath> paths = new ArrayList<>();
    Fields elements = list.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.STRING) {
        throw CosmosException.wrong("A partition key path must be a string.");
      }
      paths.add(PathSyntax.path(elements.value().asString()));
    }
    return paths;
  }

  private static void check(Kind kind, List<FieldPath> paths) {
    int max = kind == Kind.HASH ? 1 : MAX_LEVELS;
    if (paths.isEmpty() || paths.size() > max) {
      throw CosmosException.wrong(
          "The number of partition key paths must be between 1 and "
              + max
              + " for kind '"
              + kind.word
              + "'.");
    }
    if (paths.stream().distinct().count() < paths.size()) {
      throw CosmosException.wrong("A partition key path occurs twice.");
    }
    for (FieldPath path : paths) {
      for (int i = 0; i < path.length(); i++) {
        if (path.step(i).isEmpty() || path.step(i).equals("*") || path.step(i).equals("?")) {
          throw CosmosException.wrong("The partition key path '/" + path + "' is invalid.");
        }
      }
    }
  }

  /** Clients send 2, 2.0 or "V2"; the default is 1. */
  private static int version(Value value, Kind kind) {
    int min = kind == Kind.MULTI_HASH ? 2 : 1;
    if (Elements.absent(value)) {
      return min;
    }
    String text = value.type() == Type.STRING ? value.asString().toUpperCase(Locale.ROOT) : "";
    double number =
        switch (text) {
          case "V1", "1" -> 1;
          case "V2", "2" -> 2;
          default -> value.isNumber() ? value.asDouble() : 0;
        };
    if (number != 1 && number != 2) {
      throw CosmosException.wrong("The partition key version must be 1 or 2.");
    }
    return Math.max((int) number, min);
  }

  /** Returns the definition in JSON, without version 1, which is the default. */
  public Document toDocument() {
    List<Value> texts =
        system ? List.of(Value.of(SYSTEM_PATH)) : paths.stream().map(this::text).toList();
    var writer = Document.writer().put("paths", Value.array(texts)).put("kind", kind.word);
    if (version > 1) {
      writer.put("version", version);
    }
    return system ? writer.put("systemKey", true).build() : writer.build();
  }

  private Value text(FieldPath path) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      String step = path.step(i);
      text.append('/').append(plain(step) ? step : quoted(step));
    }
    return Value.of(text.toString());
  }

  private static boolean plain(String step) {
    return step.chars().allMatch(PartitionKeyPaths::isPlain);
  }

  /** Clients do not unescape a backslash before a quote: use the other kind of quotes. */
  private static String quoted(String step) {
    if (step.indexOf('"') >= 0 && step.indexOf('\'') < 0 && step.indexOf('\\') < 0) {
      return "'" + step + "'";
    }
    return '"' + step.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}

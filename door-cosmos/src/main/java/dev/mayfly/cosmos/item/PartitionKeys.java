package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.PartitionKeyDefinition;
import dev.mayfly.cosmos.container.PartitionKeyDefinition.Kind;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parses and checks partition keys. Clients send a JSON array of values in a header, with {@code
 * {}} for an undefined value. Here it is a list of values, with {@link Value#MISSING} for
 * undefined; the empty list is the key of a container without a partition key.
 */
public final class PartitionKeys {
  private static final int MISMATCH = 1001;

  /** Maximum length of a value in bytes. */
  private static final int MAX_BYTES = 2048;

  private static final int MAX_BYTES_PER_CHAR = 3;

  private PartitionKeys() {}

  /**
   * Returns the complete key of a request.
   *
   * @throws CosmosException 400 if it is missing, malformed or incomplete
   */
  static List<Value> completeKey(Request request, Container container) {
    if (container.partitionKey().system()) {
      return List.of();
    }
    List<Value> values =
        prefix(request, container)
            .orElseThrow(
                () ->
                    new CosmosException(
                        Status.BAD_REQUEST,
                        "PartitionKey value must be supplied for this operation."));
    return complete(values, container);
  }

  /**
   * Returns the complete key of a request; empty if there is none.
   *
   * @throws CosmosException 400 if it is malformed or incomplete
   */
  static Optional<List<Value>> completeKeyIfPresent(Request request, Container container) {
    return prefix(request, container)
        .map(values -> container.partitionKey().system() ? values : complete(values, container));
  }

  private static List<Value> complete(List<Value> values, Container container) {
    if (values.size() < container.partitionKey().paths().size()) {
      throw new CosmosException(
          Status.BAD_REQUEST,
          MISMATCH,
          "The partition key supplied has fewer components than defined in the collection.");
    }
    return values;
  }

  /**
   * Returns the key of a request, complete or a prefix; empty if there is none.
   *
   * @throws CosmosException 400 if it is malformed
   */
  public static Optional<List<Value>> prefix(Request request, Container container) {
    String header = request.header(HeaderNames.PARTITION_KEY);
    if (header == null || header.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(parse(header, container));
  }

  /** Parses a complete key in JSON, as operations of a bulk request have it. */
  static List<Value> parseComplete(String json, Container container) {
    List<Value> values = parse(json, container);
    return container.partitionKey().system() ? values : complete(values, container);
  }

  /**
   * Parses a key in JSON, complete or a prefix.
   *
   * @throws CosmosException 400 if it is malformed
   */
  public static List<Value> values(String json, Container container) {
    return parse(json, container);
  }

  private static List<Value> parse(String json, Container container) {
    List<Value> values = plainString(json) ? List.of(inner(json)) : parse(json);
    PartitionKeyDefinition definition = container.partitionKey();
    if (definition.system()) {
      return List.of();
    }
    if (values.size() > definition.paths().size()) {
      throw invalid(json);
    }
    values.forEach(PartitionKeys::checkLength);
    return values;
  }

  private static void checkLength(Value value) {
    if (value.type() != Type.STRING
        || value.asString().length() * MAX_BYTES_PER_CHAR <= MAX_BYTES) {
      return;
    }
    if (value.asString().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw new CosmosException(
          Status.BAD_REQUEST,
          CosmosException.errors("A value of a partition key cannot have more than 2048 bytes."));
    }
  }

  /** Fast path: most keys are one string without escapes. */
  private static boolean plainString(String json) {
    int end = json.length() - 2;
    return json.startsWith("[\"")
        && json.endsWith("\"]")
        && json.indexOf('\\') < 0
        && json.indexOf('"', 2) == end;
  }

  private static Value inner(String json) {
    return Value.of(json.substring(2, json.length() - 2));
  }

  private static List<Value> parse(String json) {
    List<Value> values = new ArrayList<>();
    try {
      Fields elements = Json.parseValue(json, Limits.COSMOS).asDocument().fields();
      while (elements.next()) {
        values.add(value(elements.value(), json));
      }
    } catch (ValueException malformed) {
      throw invalid(json);
    }
    return values;
  }

  private static Value value(Value value, String json) {
    boolean undefined = value.isDocument() && value.asDocument().isEmpty();
    if (!undefined && (value.isDocument() || value.isArray())) {
      throw invalid(json);
    }
    return undefined ? Value.MISSING : value;
  }

  private static CosmosException invalid(String json) {
    return new CosmosException(
        Status.BAD_REQUEST, "Partition key " + json + " is invalid for the container.");
  }

  /** Returns the partition key of an item. */
  public static List<Value> of(Container container, Document item) {
    return DocumentKey.partition(item, container.partitionKey().paths());
  }

  /**
   * Checks that an item has the partition key of the request.
   *
   * @throws CosmosException 400 with sub-status 1001
   */
  static void check(Container container, Document item, List<Value> key) {
    List<FieldPath> paths = container.partitionKey().paths();
    for (int i = 0; i < paths.size(); i++) {
      if (!same(DocumentKey.part(item, paths.get(i)), key.get(i))) {
        throw mismatch();
      }
    }
  }

  static CosmosException mismatch() {
    return new CosmosException(
        Status.BAD_REQUEST,
        MISMATCH,
        CosmosException.errors(
            "PartitionKey extracted from document doesn't match the one specified in the"
                + " header. Learn more: https://aka.ms/CosmosDB/sql/errors/wrong-pk-value"));
  }

  /** Whether values are equal; numbers are compared without regard to their types. */
  public static boolean same(Value a, Value b) {
    return Order.COSMOS.compare(a, b) == 0;
  }

  /** Returns the effective partition key of a complete key. */
  public static String effective(PartitionKeyDefinition definition, List<Value> key) {
    List<Value> hashed = definition.system() ? List.of(Value.MISSING) : key;
    if (definition.kind() == Kind.MULTI_HASH) {
      return EffectiveKey.hierarchical(hashed);
    }
    return definition.version() == 1
        ? EffectiveKey.version1(hashed)
        : EffectiveKey.version2(hashed);
  }
}

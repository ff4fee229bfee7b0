package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.sql.compiler.ComputedQuery;
import dev.mayfly.sql.compiler.SqlException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.HashSet;
import java.util.Set;

/** Computed properties of a container: names and the queries that compute them. */
public final class ComputedProperties {
  private static final int MAX_PROPERTIES = 20;
  private static final Set<String> RESERVED =
      Set.of("id", "_rid", "_ts", "_etag", "_self", "_attachments", "_lsn");

  private ComputedProperties() {}

  /**
   * Validates the computed properties of a new definition.
   *
   * @throws CosmosException 400
   */
  public static void check(ContainerDefinition definition) {
    Value list = definition.form().field("computedProperties");
    if (list.isMissing()) {
      return;
    }
    if (!list.isArray()) {
      throw CosmosException.wrong("'computedProperties' must be an array.");
    }
    Set<String> names = new HashSet<>();
    Fields elements = list.asDocument().fields();
    while (elements.next()) {
      check(elements.type() == Type.OBJECT ? elements.value().asDocument() : Document.EMPTY, names);
    }
    if (names.size() > MAX_PROPERTIES) {
      throw CosmosException.wrong(
          "A container can have at most " + MAX_PROPERTIES + " computed properties.");
    }
  }

  private static void check(Document property, Set<String> names) {
    Value name = property.field("name");
    Value query = property.field("query");
    if (name.type() != Type.STRING || query.type() != Type.STRING) {
      throw CosmosException.wrong(
          "A computed property must be an object with a 'name' and a 'query'.");
    }
    String text = name.asString();
    if (text.isEmpty() || RESERVED.contains(text) || !names.add(text)) {
      throw CosmosException.wrong(
          "The name '" + text + "' of a computed property is empty, reserved or taken.");
    }
    try {
      ComputedQuery.check(query.asString());
    } catch (SqlException invalid) {
      throw CosmosException.wrong(
          "The computed property '" + text + "' is invalid: " + invalid.text());
    }
  }
}

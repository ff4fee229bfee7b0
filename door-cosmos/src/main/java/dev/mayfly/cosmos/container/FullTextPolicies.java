package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Validates full-text policies and indexes as Cosmos DB does. They have no effect here, but errors
 * in them are reported.
 *
 * <p>Cosmos DB adds languages over time: any plausible language is accepted.
 */
public final class FullTextPolicies {
  private static final Pattern LANGUAGE = Pattern.compile("[a-z]{2}-[A-Z]{2}");

  private FullTextPolicies() {}

  /**
   * Validates the policies of a new definition.
   *
   * @throws CosmosException 400
   */
  public static void check(ContainerDefinition definition) {
    Document body = definition.form();
    Document policy = Elements.object(body.field("fullTextPolicy"), "fullTextPolicy");
    checkLanguage(policy.field("defaultLanguage"));
    for (Value one : Elements.of(policy, "fullTextPaths")) {
      Document path = Elements.object(one, "fullTextPaths");
      if (!isPath(path.field("path"))) {
        throw CosmosException.wrong(
            "The Full Text Policy contains an invalid Path: " + text(path.field("path")));
      }
      checkLanguage(path.field("language"));
    }
    Document indexing = Elements.object(body.field("indexingPolicy"), "indexingPolicy");
    checkIndexes(Elements.of(indexing, "fullTextIndexes"));
  }

  private static void checkIndexes(List<Value> indexes) {
    for (int i = 0; i < indexes.size(); i++) {
      Value path = Elements.object(indexes.get(i), "fullTextIndexes").field("path");
      if (Elements.absent(path)) {
        throw CosmosException.wrong(
            "Missing path in full-text index specification at index (" + i + ").");
      }
      if (!isPath(path)) {
        throw CosmosException.wrong(
            "Full-text index specification at index (" + i + ") contains invalid path.");
      }
    }
  }

  private static void checkLanguage(Value language) {
    if (!Elements.absent(language) && !LANGUAGE.matcher(text(language)).matches()) {
      throw CosmosException.wrong(
          "The Full Text Policy contains an unsupported language "
              + text(language)
              + ". Supported languages are: en-US, de-DE, es-ES, fr-FR, it-IT, pt-BR, pt-PT.");
    }
  }

  private static boolean isPath(Value value) {
    return value.type() == Type.STRING && value.asString().startsWith("/");
  }

  private static String text(Value value) {
    return value.type() == Type.STRING ? value.asString() : value.toString();
  }
}

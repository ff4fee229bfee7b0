package dev.mayfly.cosmos.rest;

import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** Validates ids of databases, containers, users, scripts and the like. */
public final class Names {
  private static final int MAX_LENGTH = 255;

  private Names() {}

  /**
   * Returns the id in a body.
   *
   * @throws CosmosException 400 if it is missing or invalid
   */
  public static String of(Document body) {
    Value id = body.field("id");
    if (id.isMissing()) {
      throw CosmosException.wrong(
          "One of the specified inputs is invalid: the property 'id' is required.");
    }
    if (id.type() != Type.STRING) {
      throw CosmosException.wrong(
          "The input content is invalid because the required property 'id' is not a string.");
    }
    return checked(id.asString());
  }

  private static String checked(String id) {
    if (id.isBlank() || id.length() > MAX_LENGTH) {
      throw CosmosException.wrong(
          "The input name '"
              + id
              + "' is invalid. Ensure to provide a unique non-empty string less than '255'"
              + " characters.");
    }
    if (id.endsWith(" ") || id.chars().anyMatch(Names::forbidden)) {
      throw CosmosException.wrong(
          "The input name '"
              + id
              + "' is invalid. It cannot contain '/', '\\', '?', '#' or control characters,"
              + " or end with a space.");
    }
    return id;
  }

  private static boolean forbidden(int character) {
    return character < ' ' || "/\\?#".indexOf(character) >= 0;
  }
}

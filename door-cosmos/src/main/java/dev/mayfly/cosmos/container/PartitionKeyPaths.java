package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Validates the paths of a partition key, such as {@code /address/zip}. Steps with characters other
 * than letters, digits, {@code _}, {@code -} and {@code $} must be quoted.
 *
 * <p>Only new containers are checked: those of earlier versions may have other paths.
 */
public final class PartitionKeyPaths {
  private PartitionKeyPaths() {}

  /**
   * Validates the paths of a new container.
   *
   * @param body of the request
   * @throws CosmosException 400
   */
  public static void check(Document body) {
    Value key = body.field("partitionKey");
    Value paths = key.isDocument() ? key.asDocument().field("paths") : Value.MISSING;
    if (!paths.isArray()) {
      return;
    }
    for (Value path : Elements.of(key.asDocument(), "paths")) {
      if (path.type() == Type.STRING) {
        check(path.asString());
      }
    }
  }

  private static void check(String path) {
    int at = 0;
    do {
      if (at == path.length() || path.charAt(at) != '/') {
        throw refused(path, at);
      }
      int end = stepEnd(path, at + 1);
      if (end == at + 1) {
        throw refused(path, end);
      }
      at = end;
    } while (at < path.length());
  }

  /** Returns where a step ends; its start if it is empty. */
  private static int stepEnd(String path, int start) {
    char first = start < path.length() ? path.charAt(start) : '/';
    if (first == '"' || first == '\'') {
      return quotedEnd(path, start, first);
    }
    int end = start;
    while (end < path.length() && isPlain(path.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int quotedEnd(String path, int start, char quote) {
    for (int i = start + 1; i < path.length(); i++) {
      if (path.charAt(i) == quote) {
        return i + 1;
      }
      if (path.charAt(i) == '\\') {
        i++;
      }
    }
    return start;
  }

  /** Whether a character needs no quotes. */
  static boolean isPlain(int character) {
    return Character.isLetterOrDigit(character) || "_-$".indexOf(character) >= 0;
  }

  private static CosmosException refused(String path, int at) {
    return CosmosException.wrong(
        "The partition key component definition path '"
            + path
            + "' could not be accepted, failed near position '"
            + at
            + "'. Partition key paths must contain only valid characters and not contain a"
            + " trailing slash or wildcard character.");
  }
}

package dev.mayfly.admin.console;

import dev.mayfly.engine.Namespace;

/** Which collections belong to the server, not to its users. */
final class Namespaces {
  private Namespaces() {}

  static boolean isInternal(Namespace namespace) {
    return namespace.database().equals(Caller.COSMOS)
        || namespace.database().equals("config")
        || namespace.collection().startsWith("system.");
  }
}

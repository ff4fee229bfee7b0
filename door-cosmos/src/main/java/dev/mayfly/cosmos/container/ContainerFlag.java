package dev.mayfly.cosmos.container;

import java.util.Locale;

/**
 * Flags of a container for rare operations on its items, which make later reads more expensive. Set
 * before the first such operation, and never cleared.
 */
public enum ContainerFlag {
  /** Some items may be excluded from the index. */
  SELECTIVE,
  /** Some items may have changed their ids. */
  RENAMED;

  /** Returns the name of the stored option. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}

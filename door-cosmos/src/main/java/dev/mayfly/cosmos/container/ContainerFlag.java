package dev.mayfly.cosmos.container;

import java.util.Locale;

/**
 * What rarely happens to the items of a container and makes others look closer from then on. Known
 * before it is done for the first time, and for good.
 */
public enum ContainerFlag {
  /** There may be items that the index leaves out, now or since an earlier policy. */
  SELECTIVE,
  /** Items were given other ids: one that is not where it was born may be elsewhere. */
  RENAMED;

  /** As it is kept. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.mayfly.store;

/**
 * Key space by purpose, so that a store can tune each differently. The same key in two spaces names
 * two entries.
 */
public enum Space {
  /** Few small entries: catalogs, positions, settings. */
  META(0, false),
  /** Read one by one, by key; values of about a kilobyte. */
  RECORDS(1, true),
  /** Index entries: many, small, read in ranges. */
  ENTRIES(2, true),
  /** Written in order, read from the low end, cleared by range deletes: lanes and feeds. */
  QUEUES(3, false);

  private final int code;
  private final boolean filtered;

  Space(int code, boolean filtered) {
    this.code = code;
    this.filtered = filtered;
  }

  /** Returns whether an installed {@link CompactionFilter} applies to this space. */
  public boolean filtered() {
    return filtered;
  }

  /** Returns the number of the space, its position in the list of spaces; it never changes. */
  public int code() {
    return code;
  }
}

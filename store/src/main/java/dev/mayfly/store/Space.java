package dev.mayfly.store;

/**
 * What a set of keys is for, so that a store may tune each differently. Keys of different spaces
 * never meet: the same key in two spaces names two entries.
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

  /** True when an installed {@link CompactionFilter} is asked about the entries of this space. */
  public boolean filtered() {
    return filtered;
  }

  /** A small number that stands for the space, its place in the list of spaces; never changes. */
  public int code() {
    return code;
  }
}

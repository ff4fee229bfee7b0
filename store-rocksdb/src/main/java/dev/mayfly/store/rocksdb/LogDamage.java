package dev.mayfly.store.rocksdb;

import java.nio.file.Path;

/**
 * Position in a write-ahead log from which on records cannot be replayed.
 *
 * @param log the file
 * @param offset of the first damaged or incomplete record
 * @param bytes size of the log from there on
 * @param wholeCommits complete commits after the position, in this log and later ones
 * @param wasFlushed whether the commit at the position was on disk; if that is not known, whether
 *     complete commits follow it
 */
public record LogDamage(Path log, long offset, long bytes, long wholeCommits, boolean wasFlushed) {
  /**
   * Returns whether a crash explains it: only the last commit is incomplete, or the power failed
   * during a flush, which may leave a later commit on disk without an earlier one.
   */
  public boolean isTornTail() {
    return !wasFlushed;
  }

  /** Returns a description: a sentence without its full stop. */
  public String describe() {
    if (!isTornTail()) {
      return "the log %s is damaged at byte %,d, and %,d whole commits follow the damage"
          .formatted(log, offset, wholeCommits);
    }
    return wholeCommits == 0
        ? "the log %s ends in an incomplete commit: %,d bytes from byte %,d on cannot be read"
            .formatted(log, bytes, offset)
        : "a flush of the log %s was interrupted at byte %,d, and %,d commits follow that gap"
            .formatted(log, offset, wholeCommits);
  }
}

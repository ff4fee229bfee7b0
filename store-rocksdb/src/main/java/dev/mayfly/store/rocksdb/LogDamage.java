package dev.mayfly.store.rocksdb;

import java.nio.file.Path;

/**
 * Position in a write-ahead log from which on records cannot be replayed.
 *
 * @param log the file
 * @param offset of the first damaged or incomplete record
 * @param bytes size of the log from there on
 * @param wholeCommits complete commits after the position, in this log and later ones; 0 for a torn
 *     tail, which a crash in the middle of a write leaves
 */
public record LogDamage(Path log, long offset, long bytes, long wholeCommits) {
  /** Returns whether only the last commit is incomplete, which a crash explains. */
  public boolean isTornTail() {
    return wholeCommits == 0;
  }

  /** Returns a description: a sentence without its full stop. */
  public String describe() {
    return isTornTail()
        ? "the log %s ends in an incomplete commit: %,d bytes from byte %,d on cannot be read"
            .formatted(log, bytes, offset)
        : "the log %s is damaged at byte %,d, and %,d whole commits follow the damage"
            .formatted(log, offset, wholeCommits);
  }
}

package dev.mayfly.store.rocksdb;

import java.nio.file.Path;

/**
 * A place in a write-ahead log from where on its records cannot be replayed.
 *
 * @param log the file
 * @param offset where the first record begins that is damaged or incomplete
 * @param bytes what the log holds from there on
 * @param wholeCommits commits that follow the place and are whole, in this log and later ones; 0
 *     for a torn tail, such as a crash in the middle of a write leaves behind
 */
public record LogDamage(Path log, long offset, long bytes, long wholeCommits) {
  /** Whether nothing but the last commit is incomplete, which a crash explains. */
  public boolean isTornTail() {
    return wholeCommits == 0;
  }

  /** What is wrong, as a sentence without its stop. */
  public String describe() {
    return isTornTail()
        ? "the log %s ends in an incomplete commit: %,d bytes from byte %,d on cannot be read"
            .formatted(log, bytes, offset)
        : "the log %s is damaged at byte %,d, and %,d whole commits follow the damage"
            .formatted(log, offset, wholeCommits);
  }
}

package dev.mayfly.engine.storage;

import dev.mayfly.store.Space;

/**
 * Description of a range of stored keys for an operator: what is lost with a damaged file.
 *
 * @param words such as "documents"
 * @param onlyChanges whether the range contains only feed entries, which can be trimmed if they are
 *     lost
 */
public record StoredRange(String words, boolean onlyChanges) {
  /** Describes the range between two keys of a space, both included, in one shard. */
  public static StoredRange between(Space space, byte[] first, byte[] last) {
    return switch (space) {
      case META -> new StoredRange("state", false);
      case RECORDS -> new StoredRange("documents", false);
      case ENTRIES -> new StoredRange("index entries", false);
      case QUEUES -> queues(first, last);
    };
  }

  /** Describes a space of several shards. */
  public static StoredRange of(Space space) {
    return switch (space) {
      case META, RECORDS, ENTRIES -> between(space, new byte[0], new byte[0]);
      case QUEUES -> new StoredRange("changes and the order of expiry", false);
    };
  }

  private static StoredRange queues(byte[] first, byte[] last) {
    byte changes = Layout.feedPrefix()[0];
    boolean only = first.length > 0 && last.length > 0 && first[0] == changes && last[0] == changes;
    return only ? new StoredRange("changes", true) : of(Space.QUEUES);
  }
}

package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import java.util.Map;

/**
 * Keys that a write group locks as it decides: documents, unique keys and sessions. A group that
 * holds the shard's lock exclusively needs no locks on keys: {@link #EXCLUSIVE}.
 */
interface KeyClaims {
  KeyClaims EXCLUSIVE =
      new KeyClaims() {
        @Override
        public void document(byte[] primaryKey) {}

        @Override
        public void other(byte[] primaryKey) {}

        @Override
        public void uniqueKey(byte[] entryKey) {}

        @Override
        public void session(ByteKey session) {}

        @Override
        public void multikey(IndexEntryKeys keys) {}

        @Override
        public void departure() {}
      };

  /** Locks the document that a write names. */
  void document(byte[] primaryKey);

  /** Locks another document that a write changes. */
  void other(byte[] primaryKey);

  /** Locks the entry of a unique index. */
  void uniqueKey(byte[] entryKey);

  /** Locks the receipts of a session. */
  void session(ByteKey session);

  /** Called after the index keys of a document are computed: they may make an index multikey. */
  void multikey(IndexEntryKeys keys);

  /** Called before a parent departs: a writer of its children sees that, or commits before. */
  void departure();

  /**
   * Claims of a group that shares the shard's lock.
   *
   * @param waits whether to wait for a key that another group has locked
   * @param locked whether the documents of all its writes are locked already
   * @param multikey the multikey parts of each index that are stored
   */
  record Shared(KeyLocks.Holder holder, boolean waits, boolean locked, Map<Integer, Long> multikey)
      implements KeyClaims {
    @Override
    public void document(byte[] primaryKey) {
      assert !locked || holder.has(KeyLocks.hash(KeyLocks.Kind.DOCUMENT, primaryKey));
      if (!locked) {
        claim(KeyLocks.Kind.DOCUMENT, primaryKey);
      }
    }

    /** Always fails: the other document is locked only after the one that the write names. */
    @Override
    public void other(byte[] primaryKey) {
      throw new NeedsExclusiveLock("an expired document has the unique key");
    }

    @Override
    public void uniqueKey(byte[] entryKey) {
      claim(KeyLocks.Kind.UNIQUE_KEY, entryKey);
    }

    @Override
    public void session(ByteKey session) {
      claim(KeyLocks.Kind.SESSION, session.array());
    }

    @Override
    public void multikey(IndexEntryKeys keys) {
      if (keys.makesMultikey(multikey)) {
        throw new NeedsExclusiveLock("an index becomes multikey");
      }
    }

    @Override
    public void departure() {
      throw new NeedsExclusiveLock("a parent departs");
    }

    private void claim(KeyLocks.Kind kind, byte[] key) {
      long hash = KeyLocks.hash(kind, key);
      if (!(waits ? holder.lock(hash) : holder.tryLock(hash))) {
        throw new NeedsExclusiveLock("another write uses the key");
      }
    }
  }

  /**
   * Thrown if a write cannot be decided while it shares the shard's lock with other writes. Nothing
   * of it is in the batch. The caller takes the lock exclusively and decides the write again.
   */
  static final class NeedsExclusiveLock extends RuntimeException {
    private static final long serialVersionUID = 1;

    NeedsExclusiveLock(String reason) {
      super(reason, null, false, false);
    }
  }
}

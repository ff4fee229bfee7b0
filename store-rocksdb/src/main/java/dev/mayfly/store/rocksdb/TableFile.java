package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Space;
import java.util.Optional;

/**
 * A file of sorted entries: what it holds, from its first key to its last.
 *
 * @param name of the file in the directory
 * @param space that it belongs to; empty for what is the store's own
 */
public record TableFile(
    String name,
    Optional<Space> space,
    int firstShard,
    // keys are shown, never compared
    @SuppressWarnings("ArrayRecordComponent") byte[] firstKey,
    int lastShard,
    // as above
    @SuppressWarnings("ArrayRecordComponent") byte[] lastKey) {}

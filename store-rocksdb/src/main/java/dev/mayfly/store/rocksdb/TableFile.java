package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Space;
import java.util.Optional;

/**
 * SST file with its key range.
 *
 * @param name of the file in the directory
 * @param space that it belongs to; empty for the store's own data
 */
public record TableFile(
    String name,
    Optional<Space> space,
    int firstShard,
    // keys are printed, never compared
    @SuppressWarnings("ArrayRecordComponent") byte[] firstKey,
    int lastShard,
    // as above
    @SuppressWarnings("ArrayRecordComponent") byte[] lastKey) {}

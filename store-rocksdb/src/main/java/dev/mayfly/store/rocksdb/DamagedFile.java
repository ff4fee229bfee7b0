package dev.mayfly.store.rocksdb;

/**
 * SST file that cannot be read to its end.
 *
 * @param name of the file in the directory
 * @param problem what is wrong with it
 */
public record DamagedFile(String name, String problem) {}

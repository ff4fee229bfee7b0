package dev.mayfly.store.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Flushes files that are not RocksDB's, so that they survive loss of power. */
final class Durable {
  private Durable() {}

  /** Flushes a file, or the entries of a directory. */
  static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}

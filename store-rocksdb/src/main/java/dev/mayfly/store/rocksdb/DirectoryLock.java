package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether a directory is open, before RocksDB opens it and without changing it. Other
 * processes are detected by RocksDB's lock on the file {@code LOCK}; stores of this process by a
 * list: file locks do not exclude the same process, and a process that closes the file loses its
 * lock.
 */
final class DirectoryLock implements AutoCloseable {
  private static final Set<Path> OPEN_HERE = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final @Nullable FileChannel channel;

  private DirectoryLock(Path directory, @Nullable FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Reserves a directory for a store of this process, which RocksDB will lock.
   *
   * @throws StoreException {@code IN_USE} if another store has it open
   */
  static DirectoryLock take(Path directory) {
    DirectoryLock kept = share(directory);
    try {
      kept.letGo();
    } catch (IOException e) {
      kept.close();
      throw new StoreException(Reason.IO, "cannot unlock the directory " + directory, e);
    }
    return new DirectoryLock(kept.directory, null);
  }

  /** Like {@link #take}, and keeps RocksDB in other processes out until it is closed. */
  static DirectoryLock share(Path directory) {
    try {
      Path real = directory.toRealPath();
      if (!OPEN_HERE.add(real)) {
        throw inUse(directory);
      }
      try {
        return new DirectoryLock(real, locked(real));
      } catch (IOException | RuntimeException e) {
        OPEN_HERE.remove(real);
        throw e;
      }
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot open the directory " + directory, e);
    }
  }

  private static @Nullable FileChannel locked(Path directory) throws IOException {
    Path file = directory.resolve("LOCK");
    if (Files.notExists(file)) {
      return null;
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
    if (lock == null) {
      channel.close();
      throw inUse(directory);
    }
    return channel;
  }

  private static StoreException inUse(Path directory) {
    return new StoreException(Reason.IN_USE, "another store has the directory open: " + directory);
  }

  /** Returns the real path of the directory. */
  Path directory() {
    return directory;
  }

  private void letGo() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  @Override
  public void close() {
    OPEN_HERE.remove(directory);
    try {
      letGo();
    } catch (IOException harmless) {
      System.getLogger(DirectoryLock.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot close the lock of " + directory, harmless);
    }
  }
}

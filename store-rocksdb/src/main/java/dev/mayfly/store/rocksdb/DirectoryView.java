package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Temporary directory with links to the SST files of another one and copies of its logs. RocksDB
 * can replay logs and write there: it never writes to an SST file that it has not created, so the
 * original directory stays unchanged. Deleted when it is closed.
 */
final class DirectoryView implements AutoCloseable {
  private final Path links;
  private final DirectoryLock lock;

  private DirectoryView(Path links, DirectoryLock lock) {
    this.links = links;
    this.lock = lock;
  }

  static DirectoryView of(Path directory) {
    DirectoryLock lock = DirectoryLock.share(directory);
    try {
      DirectoryView view = new DirectoryView(Files.createTempDirectory("mayfly-view"), lock);
      try {
        view.link(directory.toRealPath());
        return view;
      } catch (IOException | RuntimeException e) {
        view.close();
        throw e;
      }
    } catch (IOException e) {
      lock.close();
      throw new StoreException(Reason.IO, "cannot look at the directory " + directory, e);
    }
  }

  private void link(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".sst")) {
          Files.createSymbolicLink(links.resolve(name), file);
        } else if (!name.equals("LOCK") && !name.startsWith("LOG")) {
          // few and small; RocksDB truncates the preallocated end of a log
          Files.copy(file, links.resolve(name));
        }
      }
    }
  }

  Path links() {
    return links;
  }

  @Override
  public void close() {
    lock.close();
    try (Stream<Path> files = Files.walk(links)) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : all) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.getLogger(DirectoryView.class.getName())
          .log(System.Logger.Level.WARNING, "cannot remove " + links, e);
    }
  }
}

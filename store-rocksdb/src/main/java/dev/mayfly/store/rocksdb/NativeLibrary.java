package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * RocksDB's native library, unpacked once into a directory of the user: {@code ~/.cache/mayfly}, or
 * a temporary directory if that is not writable. RocksDB would unpack it for every process, and
 * leave 17 MB on disk when the process is killed.
 *
 * <p>The name of the directory contains the checksum and size of the library, so versions do not
 * collide. Several processes may unpack it at the same time: each moves a complete file into place.
 */
final class NativeLibrary {
  private static final System.Logger LOG = System.getLogger(NativeLibrary.class.getName());

  /** Set by an operator; takes precedence, and RocksDB reads it, too. */
  private static final String CHOSEN = "ROCKSDB_SHAREDLIB_DIR";

  /** The name in the archive. */
  private static final String PACKED_AS = Environment.getJniLibraryFileName("rocksdb");

  /** The name under which RocksDB loads it from a directory; the archive has another one. */
  private static final String LOADED_AS = Environment.getJniLibraryFileName("rocksdbjni");

  private static boolean loaded;

  private NativeLibrary() {}

  /**
   * Loads the library, unless it is loaded.
   *
   * @throws StoreException IO if the program has no library for this system, as a jar for another
   *     platform
   */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    Optional<Path> directory = System.getenv(CHOSEN) == null ? unpacked() : Optional.empty();
    if (directory.isPresent()) {
      RocksDB.loadLibrary(List.of(directory.get().toString()));
    } else {
      loadFromAnywhere();
    }
    loaded = true;
  }

  private static void loadFromAnywhere() {
    try {
      RocksDB.loadLibrary();
    } catch (RuntimeException | UnsatisfiedLinkError missing) {
      throw new StoreException(
          StoreException.Reason.IO,
          "the program has no library %s: use the program for this platform, or for all"
              .formatted(PACKED_AS),
          missing);
    }
  }

  /** Returns the path; empty if there is no directory that only this user can write. */
  private static Optional<Path> unpacked() {
    ClassLoader loader = RocksDB.class.getClassLoader();
    URL packed = loader.getResource(PACKED_AS);
    if (packed == null) {
      return Optional.empty();
    }
    for (Path root : List.of(cache(), temporary())) {
      try {
        Path directory = root.resolve(stamp(packed));
        if (ours(root) && ours(directory)) {
          unpack(packed, directory.resolve(LOADED_AS));
          return Optional.of(directory);
        }
      } catch (IOException | UnsupportedOperationException elsewhere) {
        LOG.log(System.Logger.Level.DEBUG, "cannot unpack RocksDB into " + root, elsewhere);
      }
    }
    return Optional.empty();
  }

  private static Path cache() {
    return Path.of(property("user.home"), ".cache", "mayfly");
  }

  private static Path temporary() {
    return Path.of(property("java.io.tmpdir"), "mayfly-" + property("user.name"));
  }

  private static String property(String name) {
    return String.valueOf(System.getProperty(name));
  }

  private static String stamp(URL packed) throws IOException {
    URLConnection connection = packed.openConnection();
    connection.setUseCaches(false);
    long crc = connection instanceof JarURLConnection jar ? jar.getJarEntry().getCrc() : 0;
    return "rocksdb-%08x-%d".formatted(crc, size(packed));
  }

  private static long size(URL packed) throws IOException {
    URLConnection connection = packed.openConnection();
    connection.setUseCaches(false);
    return connection instanceof JarURLConnection jar
        ? jar.getJarEntry().getSize()
        : connection.getContentLengthLong();
  }

  /** Creates a directory, or checks that only this user can have written to it. */
  private static boolean ours(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      OwnerOnly.createDirectories(directory);
    }
    boolean closed =
        PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)).equals("rwx------");
    return closed
        && !Files.isSymbolicLink(directory)
        && Files.isWritable(directory)
        && Files.getOwner(directory).getName().equals(property("user.name"));
  }

  private static void unpack(URL packed, Path target) throws IOException {
    if (Files.exists(target) && Files.size(target) == size(packed)) {
      return;
    }
    Path draft = Files.createTempFile(target.getParent(), "unpacking", ".part");
    try (InputStream in = packed.openStream()) {
      Files.copy(in, draft, StandardCopyOption.REPLACE_EXISTING);
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}

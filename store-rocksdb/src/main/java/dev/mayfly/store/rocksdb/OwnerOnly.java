package dev.mayfly.store.rocksdb;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Directories that only their owner may access, regardless of the permissions of the files in them.
 * On file systems without such permissions they are ordinary directories.
 */
public final class OwnerOnly {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  private OwnerOnly() {}

  /** Creates a directory and its missing parents; restricts it if it exists. */
  public static void createDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      close(directory);
    } else {
      Files.createDirectories(directory, attributes());
    }
  }

  private static FileAttribute<?>[] attributes() {
    return posix()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
        : new FileAttribute<?>[0];
  }

  private static boolean posix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  /** Removes the permissions of others from an existing directory. */
  public static void close(Path directory) throws IOException {
    if (posix() && !Files.getPosixFilePermissions(directory).equals(OWNER)) {
      Files.setPosixFilePermissions(directory, OWNER);
    }
  }
}

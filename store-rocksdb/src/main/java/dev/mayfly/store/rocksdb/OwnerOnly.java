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
 * Directories that only their owner may enter, so that nobody else reads what is in them, whatever
 * the permissions of the files. Where the file system knows no such permissions they are ordinary
 * ones.
 */
public final class OwnerOnly {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  private OwnerOnly() {}

  /** Makes a directory and those above it that are missing; closes it to others if it exists. */
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

  /** Takes the permissions of others from a directory that exists. */
  public static void close(Path directory) throws IOException {
    if (posix() && !Files.getPosixFilePermissions(directory).equals(OWNER)) {
      Files.setPosixFilePermissions(directory, OWNER);
    }
  }
}

package dev.mayfly.cli.doctor;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Archive of a report: a zip file of texts, readable by its owner only. */
final class ReportArchive implements AutoCloseable {
  private final ZipOutputStream zip;
  private final Secrets secrets;

  private ReportArchive(OutputStream file, Secrets secrets) {
    this.zip = new ZipOutputStream(new BufferedOutputStream(file), StandardCharsets.UTF_8);
    this.secrets = secrets;
  }

  /**
   * Creates an archive.
   *
   * @throws java.nio.file.FileAlreadyExistsException when the file exists
   */
  static ReportArchive create(Path file, Secrets secrets) throws IOException {
    return new ReportArchive(
        Channels.newOutputStream(
            Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ownerOnly())),
        secrets);
  }

  private static FileAttribute<?>[] ownerOnly() {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Adds a text, without secrets. If it cannot be made, the reason takes its place: the report of a
   * broken system is the one that is needed.
   */
  void add(String name, Supplier<String> text) {
    String content;
    try {
      content = text.get();
    } catch (RuntimeException failure) {
      content = "Not available: " + failure + System.lineSeparator();
    }
    try {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(secrets.removedFrom(content).getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}

package dev.mayfly.engine.archive;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Directory with the archive files of a collection, for readers of these files. */
public final class ArchiveDirectory {
  /** Name of the file that lists closed files with their checksums, one document per line. */
  public static final String MANIFEST = "manifest.ndjson";

  /** Name of the file with the state of the open file. */
  public static final String STATE = "state.json";

  private static final int BUFFER_BYTES = 1 << 16;
  private static final Pattern DATA = Pattern.compile(".+-(\\d{6,})\\.(ndjson|bson)(\\.gz)?");

  private ArchiveDirectory() {}

  /**
   * Returns the files with documents, in the order in which they were written.
   *
   * @throws IOException if a file differs from the manifest, or a file of the manifest is missing
   */
  public static List<Path> files(Path directory) throws IOException {
    Map<String, Document> closed = manifest(directory);
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files =
          all.filter(file -> DATA.matcher(file.getFileName().toString()).matches())
              .sorted(Comparator.comparing(ArchiveDirectory::number))
              .toList();
    }
    for (Path file : files) {
      Document listed = closed.remove(file.getFileName().toString());
      if (listed != null && !listed.field("sha256").asString().equals(sha256(file))) {
        throw new IOException(file + " does not have the checksum of the manifest");
      }
      if (listed == null) {
        checkOpen(directory, file);
      }
    }
    if (!closed.isEmpty()) {
      throw new IOException(
          directory + " lacks a file of its manifest: " + closed.keySet().iterator().next());
    }
    return files;
  }

  /** The number of a file: after 999999 names have more digits. */
  private static BigInteger number(Path file) {
    Matcher name = DATA.matcher(file.getFileName().toString());
    return name.matches() ? new BigInteger(name.group(1)) : BigInteger.ZERO;
  }

  private static Map<String, Document> manifest(Path directory) throws IOException {
    Map<String, Document> closed = new HashMap<>();
    Path manifest = directory.resolve(MANIFEST);
    if (Files.exists(manifest)) {
      for (String line : Files.readAllLines(manifest)) {
        Document listed = ExtendedJson.parse(line, Limits.MONGO);
        closed.put(listed.field("file").asString(), listed);
      }
    }
    return closed;
  }

  /** The open file may have an unfinished end while it is being written, or after a crash. */
  private static void checkOpen(Path directory, Path file) throws IOException {
    Path state = directory.resolve(STATE);
    if (Files.notExists(state)) {
      return;
    }
    Document open = ExtendedJson.parse(Files.readAllBytes(state), Limits.MONGO);
    boolean complete =
        open.field("file").asString().equals(file.getFileName().toString())
            && open.field("bytes").asLong() == Files.size(file);
    if (!complete) {
      throw new IOException(file + " is being written, or is not complete: try again");
    }
  }

  /** Returns the SHA-256 of a file in hexadecimal digits. */
  public static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** A digest by SHA-256. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }
}

package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The file that names the version of the format of a directory; see docs/formats/rocksdb.md. */
final class FormatFile {
  static final String NAME = "FORMAT";
  static final int VERSION = 1;

  private static final Pattern TEXT = Pattern.compile("mayfly-rocksdb (\\d{1,9})\\s*");

  private FormatFile() {}

  /** Makes a new directory ours, or checks that an existing one is and can be read. */
  static void claim(Path directory) {
    try {
      Files.createDirectories(directory);
      Path file = directory.resolve(NAME);
      if (Files.exists(file)) {
        check(file);
      } else if (Files.exists(directory.resolve("CURRENT"))) {
        throw new StoreException(Reason.CORRUPT, "data without a format file: " + directory);
      } else {
        write(file);
      }
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot open the directory " + directory, e);
    }
  }

  private static void check(Path file) throws IOException {
    Matcher matcher = TEXT.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!matcher.matches()) {
      throw new StoreException(Reason.CORRUPT, "not a format file: " + file);
    }
    int version = Integer.parseInt(matcher.group(1));
    if (version > VERSION) {
      throw new StoreException(
          Reason.NEWER_FORMAT,
          "%s says format %d; this version reads formats up to %d, so use a newer one"
              .formatted(file, version, VERSION));
    }
  }

  /** Makes a copy of a directory one of ours too. */
  static void copy(Path from, Path to) {
    try {
      Files.copy(from.resolve(NAME), to.resolve(NAME));
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot write to the directory " + to, e);
    }
  }

  /** Written beside and moved, so that a crash leaves a whole file or none. */
  private static void write(Path file) throws IOException {
    Path draft = file.resolveSibling(NAME + ".new");
    byte[] text = ("mayfly-rocksdb " + VERSION + "\n").getBytes(StandardCharsets.ISO_8859_1);
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(text));
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}

package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** File with the format version of a directory; see docs/formats/rocksdb.md. */
final class FormatFile {
  static final String NAME = "FORMAT";

  /** 2 since logs are recycled. */
  static final int VERSION = 2;

  private static final String DRAFT = NAME + ".new";

  /** Files of an interrupted start, and those that the system creates in an empty volume. */
  private static final Set<String> LEFT_ALONE = Set.of(DRAFT, "lost+found");

  private static final Pattern TEXT = Pattern.compile("mayfly-rocksdb (\\d{1,9})\\s*");

  private FormatFile() {}

  /**
   * Initializes a new or empty directory, or checks that an existing one is a readable store. Only
   * its owner may access it.
   */
  static void claim(Path directory) {
    try {
      if (Files.isDirectory(directory) && !exists(directory) && !isEmpty(directory)) {
        throw notOurs(directory);
      }
      OwnerOnly.createDirectories(directory);
      if (!exists(directory) || checkFile(directory.resolve(NAME)) < VERSION) {
        write(directory);
      }
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot open the directory " + directory, e);
    }
  }

  /** Returns whether a directory contains a store; checks nothing else. */
  static boolean exists(Path directory) {
    return Files.exists(directory.resolve(NAME));
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.allMatch(file -> LEFT_ALONE.contains(file.getFileName().toString()));
    }
  }

  private static StoreException notOurs(Path directory) {
    return Files.exists(directory.resolve("CURRENT"))
        ? new StoreException(Reason.CORRUPT, "data without a format file: " + directory)
        : new StoreException(
            Reason.IO,
            "the directory %s is not empty and holds no data of Mayfly: choose another one"
                .formatted(directory));
  }

  /** Checks that a directory is a readable store. */
  static void check(Path directory) {
    try {
      checkFile(directory.resolve(NAME));
    } catch (NoSuchFileException e) {
      throw notOurs(directory);
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot open the directory " + directory, e);
    }
  }

  /** Returns the version. */
  private static int checkFile(Path file) throws IOException {
    Matcher matcher = TEXT.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!matcher.matches()) {
      throw new StoreException(Reason.CORRUPT, "not a format file: " + file);
    }
    int version = Integer.parseInt(matcher.group(1));
    if (version > VERSION) {
      throw new StoreException(
          Reason.NEWER_FORMAT,
          "%s has format %d; this version reads formats up to %d: use a newer version"
              .formatted(file, version, VERSION));
    }
    return version;
  }

  /** Copies the format file to a copy of a directory. */
  static void copy(Path from, Path to) {
    try {
      Files.copy(from.resolve(NAME), to.resolve(NAME));
      Durable.force(to.resolve(NAME));
      Durable.force(to);
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot write to the directory " + to, e);
    }
  }

  /** Writes a temporary file and renames it, so that a crash leaves a complete file or none. */
  private static void write(Path directory) throws IOException {
    Path draft = directory.resolve(DRAFT);
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
    Files.move(draft, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    Durable.force(directory);
  }
}

package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/** Inspects SST files. */
final class TableFiles {
  private static final String SUFFIX = ".sst";

  private TableFiles() {}

  /** Reads every block of every file of a directory and verifies its checksum. */
  static List<DamagedFile> damaged(Path directory) {
    List<DamagedFile> damaged = new ArrayList<>();
    for (Path file : files(directory)) {
      problem(file).ifPresent(what -> damaged.add(new DamagedFile(name(file), what)));
    }
    return damaged;
  }

  private static Optional<String> problem(Path file) {
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(file.toString());
      reader.verifyChecksum();
      return Optional.empty();
    } catch (RocksDBException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> name(file).endsWith(SUFFIX)).sorted().toList();
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot list the directory " + directory, e);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  /** Returns the current files of a database. */
  static List<TableFile> live(RocksDB database) {
    return database.getLiveFilesMetaData().stream().map(TableFiles::described).toList();
  }

  private static TableFile described(LiveFileMetaData file) {
    String family =
        new String(file.columnFamilyName(), StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
    return new TableFile(
        file.fileName().replace("/", ""),
        Arrays.stream(Space.values()).filter(space -> space.name().equals(family)).findFirst(),
        shard(file.smallestKey()),
        key(file.smallestKey()),
        shard(file.largestKey()),
        key(file.largestKey()));
  }

  private static int shard(byte[] whole) {
    return whole.length < Prefix.BYTES ? 0 : ByteBuffer.wrap(whole).getInt();
  }

  private static byte[] key(byte[] whole) {
    return whole.length < Prefix.BYTES ? new byte[0] : Prefix.strip(whole, whole.length);
  }
}

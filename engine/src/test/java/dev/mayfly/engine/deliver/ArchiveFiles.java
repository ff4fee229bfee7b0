package dev.mayfly.engine.deliver;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads archive files, for tests. */
public final class ArchiveFiles {
  private ArchiveFiles() {}

  /** Returns the documents in all files of a directory, in order. */
  public static List<Document> read(Path directory) throws IOException {
    List<Document> documents = new ArrayList<>();
    for (Path file : dataFiles(directory)) {
      byte[] bytes = bytes(file);
      if (file.toString().contains(".bson")) {
        for (int at = 0; at < bytes.length; ) {
          Document document = Document.trusted(bytes, at);
          documents.add(document);
          at += document.length();
        }
      } else {
        new String(bytes, StandardCharsets.UTF_8)
            .lines()
            .forEach(line -> documents.add(ExtendedJson.parse(line, Limits.MONGO)));
      }
    }
    return documents;
  }

  public static List<Path> dataFiles(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().matches(".*-\\d{6}\\.(ndjson|bson).*"))
          .sorted()
          .toList();
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    byte[] stored = Files.readAllBytes(file);
    if (!file.toString().endsWith(".gz")) {
      return stored;
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(stored))) {
      return in.readAllBytes();
    }
  }
}

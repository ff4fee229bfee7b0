package dev.mayfly.engine.deliver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.engine.archive.ArchiveDirectory;
import dev.mayfly.engine.shard.ArchiveQueue.Image;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * State of a directory of archive files, in the file {@code state.json}. Immutable.
 *
 * @param number of the open file, from 1
 * @param file name of the open file; empty before its first batch
 * @param bytes of the open file that are valid
 * @param begunAt when the open file was begun, in epoch milliseconds
 * @param batches the last batch of each shard, by shard
 */
record FileState(
    Source source,
    int number,
    String file,
    long bytes,
    long documents,
    long begunAt,
    long firstExpiredAt,
    long lastExpiredAt,
    Map<Integer, Batch> batches) {
  /**
   * A batch that was appended.
   *
   * @param first position of its first document
   * @param sha256 of its documents: after the restore of a backup, positions are used again
   */
  record Batch(long first, long last, String sha256) {
    static Batch of(List<Image> images) {
      return new Batch(images.getFirst().position(), images.getLast().position(), hash(images));
    }

    private static String hash(List<Image> images) {
      MessageDigest digest = ArchiveDirectory.digest();
      for (Image image : images) {
        Document document = image.document();
        digest.update(document.buffer(), document.offset(), document.length());
      }
      return HexFormat.of().formatHex(digest.digest());
    }
  }

  FileState {
    batches = Map.copyOf(batches);
  }

  /** Reads the state of a directory, or makes that of an empty one. */
  static FileState read(Path directory, Source source) throws IOException {
    Path stored = directory.resolve(ArchiveDirectory.STATE);
    if (Files.notExists(stored)) {
      return new FileState(source, 1, "", 0, 0, 0, 0, 0, Map.of());
    }
    try {
      Document form = ExtendedJson.parse(Files.readAllBytes(stored), Limits.MONGO);
      if (!form.field("uuid").asString().equals(source.uuid().toString())) {
        throw new DeliveryException(
            "the directory "
                + directory
                + " has files of another collection, "
                + form.field("collection").asString()
                + ": choose another directory, or move its files away");
      }
      Map<Integer, Batch> batches = new TreeMap<>();
      Fields each = form.field("batches").asDocument().fields();
      while (each.next()) {
        Document batch = each.value().asDocument();
        batches.put(
            Integer.parseInt(each.name()),
            new Batch(
                batch.field("first").asLong(),
                batch.field("last").asLong(),
                batch.field("sha256").asString()));
      }
      return new FileState(
          source,
          form.field("number").asInt(),
          form.field("file").asString(),
          form.field("bytes").asLong(),
          form.field("documents").asLong(),
          form.field("begunAt").asDate(),
          form.field("firstExpiredAt").asDate(),
          form.field("lastExpiredAt").asDate(),
          batches);
    } catch (ValueException | NumberFormatException damaged) {
      throw new DeliveryException(
          stored + " is damaged: move the files of this directory away", damaged);
    }
  }

  /** Replaces the stored state atomically; on return it survives a power failure. */
  void write(Path directory) throws IOException {
    DocumentWriter form =
        Document.writer()
            .put("collection", source.name())
            .put("uuid", source.uuid().toString())
            .put("number", number)
            .put("file", file)
            .put("bytes", bytes)
            .put("documents", documents)
            .put("begunAt", Value.date(begunAt))
            .put("firstExpiredAt", Value.date(firstExpiredAt))
            .put("lastExpiredAt", Value.date(lastExpiredAt))
            .startDocument("batches");
    new TreeMap<>(batches)
        .forEach(
            (shard, batch) ->
                form.startDocument(shard.toString())
                    .put("first", batch.first())
                    .put("last", batch.last())
                    .put("sha256", batch.sha256())
                    .end());
    byte[] text = (ExtendedJson.relaxed(form.end().build()) + "\n").getBytes(UTF_8);
    Path next = directory.resolve(ArchiveDirectory.STATE + ".next");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer buffer = ByteBuffer.wrap(text);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    Files.move(
        next,
        directory.resolve(ArchiveDirectory.STATE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    sync(directory);
  }

  /** Makes the names in a directory survive a power failure. */
  static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Returns the images without those of the last batch of their shard, if it is the same one. */
  List<Image> withoutRepeated(int shard, List<Image> images) {
    Batch last = batches.get(shard);
    if (last == null || images.getFirst().position() != last.first()) {
      return images;
    }
    int end = 0;
    while (end < images.size() && images.get(end).position() <= last.last()) {
      end++;
    }
    return Batch.of(images.subList(0, end)).equals(last)
        ? images.subList(end, images.size())
        : images;
  }

  /** Returns the state with a new open file. */
  FileState beginning(String name, long now) {
    return new FileState(source, number, name, 0, 0, now, Long.MAX_VALUE, Long.MIN_VALUE, batches);
  }

  /** Returns the state after a batch was appended. */
  FileState with(int shard, List<Image> images, long appended) {
    long first = firstExpiredAt;
    long last = lastExpiredAt;
    for (Image image : images) {
      first = Math.min(first, image.deadline());
      last = Math.max(last, image.deadline());
    }
    Map<Integer, Batch> all = new TreeMap<>(batches);
    all.put(shard, Batch.of(images));
    return new FileState(
        source,
        number,
        file,
        bytes + appended,
        documents + images.size(),
        begunAt,
        first,
        last,
        all);
  }

  /** Returns the state after the open file was closed. */
  FileState next() {
    return new FileState(source, number + 1, "", 0, 0, 0, 0, 0, batches);
  }
}

package dev.mayfly.engine.deliver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.engine.archive.ArchiveDirectory;
import dev.mayfly.engine.archive.OnExpire.FileFormat;
import dev.mayfly.engine.archive.OnExpire.Target;
import dev.mayfly.engine.shard.ArchiveQueue.Image;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Delivery into files of one directory, exactly once.
 *
 * <p>A batch is appended to the open file and flushed to disk; then the state ({@link FileState})
 * is replaced atomically. At the next start, what the file has beyond the state is cut off, and a
 * batch that is in the state is not appended again. A file that is large or old enough is closed:
 * its line in {@code manifest.ndjson} has its size, its SHA-256 and the number of its documents.
 */
final class FileDelivery implements Delivery {
  private static final System.Logger LOG = System.getLogger(FileDelivery.class.getName());
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long MILLIS = 1000;

  private final Path directory;
  private final Target.Files target;
  private FileState state;

  /**
   * Opens the directory and cuts off what was not finished.
   *
   * @param directory created if it does not exist
   */
  FileDelivery(Path directory, Target.Files target, Source source) {
    this.directory = directory;
    this.target = target;
    try {
      if (Files.notExists(directory)) {
        Files.createDirectories(directory);
        FileState.sync(directory.resolveSibling("."));
      }
      this.state = recovered(FileState.read(directory, source));
    } catch (IOException failure) {
      throw new DeliveryException("the directory " + directory + " cannot be used", failure);
    }
  }

  private FileState recovered(FileState stored) throws IOException {
    if (stored.bytes() == 0) {
      return stored;
    }
    Path file = directory.resolve(stored.file());
    if (lastClosed().equals(stored.file())) {
      return stored.next();
    }
    if (Files.notExists(file) || Files.size(file) < stored.bytes()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} is missing or shorter than it was: the next file is begun",
          file);
      return stored.next();
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(stored.bytes());
      channel.force(true);
    }
    return stored;
  }

  /** Returns the name of the file that was closed last, and cuts an unfinished line off. */
  private String lastClosed() throws IOException {
    Path manifest = directory.resolve(ArchiveDirectory.MANIFEST);
    if (Files.notExists(manifest)) {
      return "";
    }
    String text = Files.readString(manifest, UTF_8);
    int end = text.lastIndexOf('\n') + 1;
    if (end < text.length()) {
      try (FileChannel channel = FileChannel.open(manifest, StandardOpenOption.WRITE)) {
        channel.truncate(text.substring(0, end).getBytes(UTF_8).length);
        channel.force(true);
      }
    }
    if (end == 0) {
      return "";
    }
    String last = text.substring(text.lastIndexOf('\n', end - 2) + 1, end);
    return ExtendedJson.parse(last, Limits.MONGO).field("file").asString();
  }

  @Override
  public void deliver(int shard, List<Image> images, long now) {
    try {
      List<Image> rest = state.withoutRepeated(shard, images);
      if (!rest.isEmpty()) {
        append(shard, rest, now);
      }
      roll(now);
    } catch (IOException failure) {
      throw new DeliveryException("files in " + directory + " cannot be written", failure);
    }
  }

  private void append(int shard, List<Image> images, long now) throws IOException {
    if (state.bytes() > 0 && !state.file().endsWith(extension())) {
      closeFile(now);
    }
    FileState before =
        state.bytes() == 0
            ? state.beginning(
                "%s-%06d%s".formatted(target.directory(), state.number(), extension()), now)
            : state;
    byte[] bytes = encoded(images);
    Path file = directory.resolve(before.file());
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.truncate(before.bytes());
      channel.position(before.bytes());
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    FileState after = before.with(shard, images, bytes.length);
    after.write(directory);
    state = after;
  }

  private String extension() {
    return "." + target.format().code() + (target.gzip() ? ".gz" : "");
  }

  private byte[] encoded(List<Image> images) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = target.gzip() ? new GZIPOutputStream(bytes, BUFFER_BYTES) : bytes) {
      for (Image image : images) {
        Document document = image.document();
        if (target.format() == FileFormat.BSON) {
          out.write(document.buffer(), document.offset(), document.length());
        } else {
          out.write(Source.line(document).getBytes(UTF_8));
          out.write('\n');
        }
      }
    }
    return bytes.toByteArray();
  }

  @Override
  public void idle(long now) {
    try {
      roll(now);
    } catch (IOException failure) {
      throw new DeliveryException("files in " + directory + " cannot be written", failure);
    }
  }

  private void roll(long now) throws IOException {
    boolean due =
        state.bytes() >= target.rollBytes()
            || now - state.begunAt() >= target.rollSeconds() * MILLIS;
    if (state.bytes() > 0 && due) {
      closeFile(now);
    }
  }

  private void closeFile(long now) throws IOException {
    Document line =
        Document.writer()
            .put("file", state.file())
            .put("documents", state.documents())
            .put("bytes", state.bytes())
            .put("sha256", ArchiveDirectory.sha256(directory.resolve(state.file())))
            .put("firstExpiredAt", Value.date(state.firstExpiredAt()))
            .put("lastExpiredAt", Value.date(state.lastExpiredAt()))
            .put("closedAt", Value.date(now))
            .build();
    Path manifest = directory.resolve(ArchiveDirectory.MANIFEST);
    try (FileChannel channel =
        FileChannel.open(
            manifest,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      ByteBuffer bytes = ByteBuffer.wrap((ExtendedJson.relaxed(line) + "\n").getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    FileState next = state.next();
    next.write(directory);
    state = next;
  }
}

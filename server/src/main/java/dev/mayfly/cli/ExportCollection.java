package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code export}: writes the documents of a collection to a file, one per line. */
@Command(
    name = "export",
    description =
        "Write the live documents of a collection to a file: Extended JSON, one per line.")
final class ExportCollection extends Ttl.OnCollection {
  @Parameters(index = "1", paramLabel = "FILE", description = "File to write.")
  private Path file = Path.of("");

  @Option(
      names = "--relaxed",
      description = "Write plain numbers and dates; easier to read, but types may be lost.")
  private boolean relaxed;

  @Option(names = "--resume", description = "Continue an interrupted export.")
  private boolean resume;

  private long documents;
  private long bytes;

  @Override
  protected boolean changes() {
    return false;
  }

  @Override
  protected void run(CommandTarget connection) throws IOException {
    Progress progress = new Progress(file, err());
    Document stored = resume ? progress.stored() : Document.EMPTY;
    if (stored.isEmpty() && Files.exists(file)) {
      throw new CommandFailure(
          file + " exists: remove it" + (resume ? ", because its progress file is missing." : "."));
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      Value after = stored.field("after");
      if (!stored.isEmpty()) {
        documents = stored.field("documents").asLong();
        bytes = stored.field("bytes").asLong();
      }
      channel.truncate(bytes).position(bytes);
      OutputStream lines = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
      do {
        after = batch(connection, after, lines);
        lines.flush();
        save(progress, after, channel);
      } while (!after.isMissing());
    }
    progress.done();
    print(result(), "Exported " + Amounts.count(documents) + " documents to " + file + ".");
  }

  private Value batch(CommandTarget connection, Value after, OutputStream lines)
      throws IOException {
    Document body =
        after.isMissing() ? Document.EMPTY : Document.writer().put("after", after).build();
    Document reply = connection.request("POST", path() + "/export", body);
    Fields each = reply.field("documents").asDocument().fields();
    while (each.next()) {
      Document document = each.value().asDocument();
      String text = relaxed ? ExtendedJson.relaxed(document) : ExtendedJson.canonical(document);
      byte[] line = (text + "\n").getBytes(StandardCharsets.UTF_8);
      lines.write(line);
      bytes += line.length;
      documents++;
    }
    return reply.field("after");
  }

  /** Saves the progress, after the exported documents are on disk. */
  private void save(Progress progress, Value after, FileChannel channel) throws IOException {
    if (!after.isMissing()) {
      channel.force(false);
      progress.save(
          Document.writer()
              .put("after", after)
              .put("bytes", bytes)
              .put("documents", documents)
              .build());
      progress.show(documents, bytes);
    }
  }

  private Document result() {
    return Document.writer().put("documents", documents).put("bytes", bytes).build();
  }
}

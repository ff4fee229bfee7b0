package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the documents of a file into a collection. */
@Command(
    name = "import",
    description = "Write documents of a file into a collection: JSON or Extended JSON, one a line.")
final class ImportCollection extends Ttl.OnCollection {
  private static final int BATCH_BYTES = 1 << 19;
  private static final int BUFFER_BYTES = 1 << 16;

  @Parameters(index = "1", paramLabel = "FILE", description = "File to read.")
  private Path file = Path.of("");

  @Option(names = "--replace", description = "Replace documents whose ids are there already.")
  private boolean replace;

  @Option(names = "--resume", description = "Go on with an import that was stopped.")
  private boolean resume;

  private long written;
  private long refused;
  private long bytes;
  private String firstRefusal = "";

  @Override
  protected void run(Connection connection) throws IOException {
    Progress progress = new Progress(file, err());
    Document kept = resume ? progress.kept() : Document.EMPTY;
    if (!kept.isEmpty()) {
      written = kept.field("written").asLong();
      refused = kept.field("refused").asLong();
      bytes = kept.field("bytes").asLong();
    }
    try (InputStream lines = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
      lines.skipNBytes(bytes);
      while (batch(connection, lines)) {
        progress.keep(told());
        progress.show(written, bytes);
      }
    }
    progress.done();
    tell(told(), sentence());
  }

  /** Sends the next documents; false when there were none. */
  private boolean batch(Connection connection, InputStream lines) throws IOException {
    DocumentWriter batch = Document.writer().put("replace", replace).startArray("documents");
    long read = 0;
    byte[] line = read < BATCH_BYTES ? line(lines) : null;
    if (line == null) {
      return false;
    }
    while (line != null) {
      read += line.length + 1;
      if (line.length > 0) {
        batch.add(Value.of(parsed(line, bytes + read - line.length - 1)));
      }
      line = read < BATCH_BYTES ? line(lines) : null;
    }
    Document answer = connection.ask("POST", path() + "/import", batch.end().build());
    bytes += read;
    written += answer.field("written").asLong();
    refused += answer.field("refused").asLong();
    if (firstRefusal.isEmpty() && !answer.field("firstRefusal").isMissing()) {
      firstRefusal = answer.field("firstRefusal").asString();
    }
    return true;
  }

  /** The next line without its end; null when there is none. */
  private static byte @Nullable [] line(InputStream lines) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = lines.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      line.write(next);
      next = lines.read();
    }
    return line.toByteArray();
  }

  private Document parsed(byte[] line, long at) {
    try {
      return ExtendedJson.parse(line, Limits.MONGO);
    } catch (ValueException nonsense) {
      throw new CommandFailure(
          "%s: the line at byte %d is no document: %s. What came before it is written; mend the"
                  .formatted(file, at, nonsense.getMessage())
              + " line and go on by --resume.",
          nonsense);
    }
  }

  private Document told() {
    return Document.writer()
        .put("written", written)
        .put("refused", refused)
        .put("bytes", bytes)
        .build();
  }

  private String sentence() {
    String done = "Imported " + Amounts.count(written) + " documents into " + collection() + ".";
    return refused == 0
        ? done
        : done + " " + Amounts.count(refused) + " were refused; the first: " + firstRefusal + ".";
  }
}

package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code import}: writes the documents of a file into a collection. */
@Command(
    name = "import",
    description =
        "Write the documents of a file into a collection: JSON or Extended JSON, one"
            + " per line or in one array.")
final class ImportCollection extends Ttl.OnCollection {
  private static final int BATCH_BYTES = 1 << 19;

  @Parameters(index = "1", paramLabel = "FILE", description = "File to read.")
  private Path file = Path.of("");

  @Option(names = "--replace", description = "Replace documents that have the same id.")
  private boolean replace;

  @Option(names = "--resume", description = "Continue an interrupted import.")
  private boolean resume;

  private long written;
  private long rejected;
  private long bytes;
  private String firstRejection = "";

  @Override
  protected void check() {
    super.check();
    if (Files.notExists(file)) {
      throw new CommandFailure("There is no file " + file + ".");
    }
  }

  @Override
  protected void run(CommandTarget connection) throws IOException {
    Progress progress = new Progress(file, err());
    Document stored = resume ? progress.stored() : Document.EMPTY;
    if (!stored.isEmpty()) {
      written = stored.field("written").asLong();
      rejected = stored.field("refused").asLong();
      bytes = stored.field("bytes").asLong();
    }
    try (ImportFile documents = ImportFile.open(file, bytes)) {
      while (batch(connection, documents)) {
        progress.save(result());
        progress.show(written, bytes);
      }
    }
    progress.done();
    print(result(), sentence());
  }

  /** Sends the next batch; returns false at the end of the file. */
  private boolean batch(CommandTarget connection, ImportFile documents) throws IOException {
    DocumentWriter batch = Document.writer().put("replace", replace).startArray("documents");
    long at = documents.position();
    byte[] next = documents.next();
    if (next == null) {
      return false;
    }
    while (next != null) {
      if (next.length > 0) {
        batch.add(Value.of(parsed(next, at)));
      }
      at = documents.position();
      next = at - bytes < BATCH_BYTES ? documents.next() : null;
    }
    Document reply = connection.request("POST", path() + "/import", batch.end().build());
    bytes = at;
    written += reply.field("written").asLong();
    rejected += reply.field("refused").asLong();
    if (firstRejection.isEmpty() && !reply.field("firstRefusal").isMissing()) {
      firstRejection = reply.field("firstRefusal").asString();
    }
    return true;
  }

  private Document parsed(byte[] line, long at) {
    try {
      return ExtendedJson.parse(line, Limits.MONGO);
    } catch (ValueException invalid) {
      throw new CommandFailure(
          ("%s: the line at byte %d is not a document: %s. All lines before it are imported."
                  + " Correct the line and continue with --resume.")
              .formatted(file, at, invalid.getMessage()),
          invalid);
    }
  }

  private Document result() {
    return Document.writer()
        .put("written", written)
        .put("refused", rejected)
        .put("bytes", bytes)
        .build();
  }

  private String sentence() {
    String done = "Imported " + Amounts.count(written) + " documents into " + collection() + ".";
    return rejected == 0
        ? done
        : done
            + " "
            + Amounts.count(rejected)
            + " were rejected; the first: "
            + firstRejection
            + ".";
  }
}

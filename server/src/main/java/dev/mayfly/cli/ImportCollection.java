package dev.mayfly.cli;

import dev.mayfly.engine.archive.ArchiveDirectory;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code import}: writes the documents of a file into a collection. */
@Command(
    name = "import",
    description =
        "Write the documents of a file into a collection: JSON or Extended JSON, one"
            + " per line or in one array, or BSON; compressed with gzip or not. Of a directory of"
            + " archive files, all files are written, after a check of their sums.")
final class ImportCollection extends Ttl.OnCollection {
  private static final int BATCH_BYTES = 1 << 19;

  @Parameters(index = "1", paramLabel = "FILE", description = "File or directory to read.")
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
    if (Files.isDirectory(file)) {
      if (resume) {
        throw CommandFailure.usage(
            "--resume works with a file, not with a directory; --replace repeats an import.");
      }
      for (Path each : archiveFiles()) {
        file = each;
        bytes = 0;
        try (ImportFile documents = ImportFile.open(file, 0)) {
          while (batch(connection, documents)) {
            // the next batch
          }
        }
      }
      print(result(), sentence());
      return;
    }
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

  private List<Path> archiveFiles() {
    try {
      return ArchiveDirectory.files(file);
    } catch (IOException wrong) {
      throw new CommandFailure(wrong.getMessage() + ". Nothing was imported.", wrong);
    }
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
      return ImportFile.isBson(file)
          ? Document.of(line, Limits.MONGO)
          : ExtendedJson.parse(line, Limits.MONGO);
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

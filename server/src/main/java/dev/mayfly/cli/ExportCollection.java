package dev.mayfly.cli;

import dev.mayfly.admin.seed.Seed;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Command {@code export}: writes the documents of a collection to a file, one per line, or the
 * definitions of all collections to a directory.
 */
@Command(
    name = "export",
    description = {
      "Write the live documents of a collection to a file: Extended JSON, one per line.",
      "With --definitions, write the definitions of all collections to a directory, in the form"
          + " that mayfly serve --seed reads."
    })
final class ExportCollection extends RemoteCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "COLLECTION",
      description = "DATABASE.COLLECTION, or cosmos:DATABASE.CONTAINER.")
  private String collection = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "FILE", description = "File to write.")
  private @Nullable Path named;

  @Option(
      names = "--definitions",
      paramLabel = "DIR",
      description = "Directory to create, for the definitions of all collections.")
  private @Nullable Path definitions;

  @Option(
      names = "--with-documents",
      description = "With --definitions: write the documents of all collections, too.")
  private boolean withDocuments;

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
  protected void check() {
    boolean all = definitions != null;
    if (all != collection.isEmpty() || all == (named != null)) {
      throw CommandFailure.usage(
          "Name a collection and a file, or use --definitions DIR without them.");
    }
    if (withDocuments && !all) {
      throw CommandFailure.usage("--with-documents needs --definitions DIR.");
    }
    if (!all) {
      CommandTarget.path(collection);
    }
  }

  @Override
  protected void run(CommandTarget connection) throws IOException {
    if (definitions != null) {
      exportDefinitions(connection, definitions);
      return;
    }
    file = Objects.requireNonNull(named);
    export(connection, CommandTarget.path(collection));
    print(result(), "Exported " + Amounts.count(documents) + " documents to " + file + ".");
  }

  private void exportDefinitions(CommandTarget connection, Path directory) throws IOException {
    if (Files.exists(directory)) {
      throw new CommandFailure(directory + " exists: choose a directory that does not exist.");
    }
    Files.createDirectories(directory);
    int count = 0;
    Fields each =
        connection.request("GET", "/definitions").field("definitions").asDocument().fields();
    while (each.next()) {
      Document found = each.value().asDocument();
      String kind = found.field("kind").asString();
      String database = found.field("database").asString();
      String name = found.field("name").asString();
      Path target = Seed.definition(directory, kind, database, name);
      Files.createDirectories(target.getParent());
      Document definition = found.field("definition").asDocument();
      Files.writeString(target, ExtendedJson.relaxed(definition) + "\n");
      boolean view = !definition.at(FieldPath.of("options.viewOn")).isMissing();
      if (withDocuments && !view) {
        file = Seed.documents(directory, kind, database, name);
        bytes = 0;
        String prefix = kind.equals("cosmos") ? "cosmos:" : "";
        export(connection, CommandTarget.path(prefix + database + "." + name));
      }
      count++;
    }
    print(
        Document.writer().put("definitions", count).put("documents", documents).build(),
        "Exported "
            + Amounts.count(count)
            + " definitions"
            + (withDocuments ? " and " + Amounts.count(documents) + " documents" : "")
            + " to "
            + directory
            + ".");
  }

  private void export(CommandTarget connection, String path) throws IOException {
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
        after = batch(connection, path, after, lines);
        lines.flush();
        save(progress, after, channel);
      } while (!after.isMissing());
    }
    progress.done();
  }

  private Value batch(CommandTarget connection, String path, Value after, OutputStream lines)
      throws IOException {
    Document body =
        after.isMissing() ? Document.EMPTY : Document.writer().put("after", after).build();
    Document reply = connection.request("POST", path + "/export", body);
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

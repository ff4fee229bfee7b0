package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Copies everything as it is now, while the server goes on. */
@Command(
    name = "backup",
    description = {
      "Copy everything as it is now to a directory, while the server goes on.",
      "Files that do not change any more are linked where the disk is the same: fast, and small"
          + " until compactions replace them."
    })
final class BackUp extends RemoteCommand {
  /** Tells when a copy was made; lies in it. */
  static final String NOTE = "backup.json";

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "Directory to make, on the machine of the server.")
  private Path directory = Path.of("");

  @Override
  protected void run(CommandTarget connection) throws IOException {
    Path target = directory.toAbsolutePath().normalize();
    Document body = Document.writer().put("directory", target.toString()).build();
    Document answer = connection.ask("POST", "/backup", body);
    if (Files.isDirectory(target)) {
      long at = answer.field("now").asDate();
      Files.writeString(
          target.resolve(NOTE), Json.write(Document.writer().put("at", at).build()) + "\n");
    }
    tell(answer, "Backed up to " + target + ".");
  }
}

package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Command {@code backup}: copies the data of a running server. */
@Command(
    name = "backup",
    description = {
      "Copy all data to a directory, while the server runs.",
      "On the same disk, immutable files are hard-linked, so the backup is fast, and"
          + " small until compactions replace them."
    })
final class BackUp extends RemoteCommand {
  /** File in the backup that contains the time of the backup. */
  static final String INFO_FILE = "backup.json";

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "Directory to create, on the machine of the server.")
  private Path directory = Path.of("");

  @Override
  protected void run(CommandTarget target) throws IOException {
    Path backup = directory.toAbsolutePath().normalize();
    Document body = Document.writer().put("directory", backup.toString()).build();
    Document reply = target.request("POST", "/backup", body);
    if (Files.isDirectory(backup)) {
      long at = reply.field("now").asDate();
      Files.writeString(
          backup.resolve(INFO_FILE), Json.write(Document.writer().put("at", at).build()) + "\n");
    }
    print(reply, "Backed up to " + backup + ".");
  }
}

package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says which version this is, and on what it runs. */
@Command(name = "version", description = "Say which version this is, and on what it runs.")
final class ShowVersion implements Runnable {
  private final Main main;

  @Spec private CommandSpec spec = CommandSpec.create();

  ShowVersion(Main main) {
    this.main = main;
  }

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    String java = Runtime.version().toString();
    if (main.json()) {
      Document told = Document.writer().put("mayfly", Mayfly.VERSION).put("java", java).build();
      out.println(Json.write(told));
    } else {
      out.println("Mayfly " + Mayfly.VERSION + " on Java " + java);
    }
  }
}

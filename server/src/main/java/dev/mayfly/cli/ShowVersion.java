package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command {@code version}: prints the versions of Mayfly, Java and RocksDB. */
@Command(name = "version", description = "Print the version of Mayfly and of its platform.")
final class ShowVersion implements Runnable {
  private final OutputOptions output;

  @Spec private CommandSpec spec = CommandSpec.create();

  ShowVersion(OutputOptions output) {
    this.output = output;
  }

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    String java = Runtime.version().toString();
    if (output.json()) {
      Document versions = Document.writer().put("mayfly", Mayfly.VERSION).put("java", java).build();
      out.println(Json.write(versions));
    } else {
      out.println("Mayfly " + Mayfly.VERSION + " on Java " + java);
    }
  }
}

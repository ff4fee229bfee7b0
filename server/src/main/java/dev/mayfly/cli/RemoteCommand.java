package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base of commands that run on a server or a data directory and print a result as text or JSON. */
abstract class RemoteCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * Checks the arguments before the target is opened.
   *
   * @throws CommandFailure when they are invalid
   */
  protected void check() {}

  /** Runs the command. */
  protected abstract void run(CommandTarget connection) throws Exception;

  /** Whether the command writes. A read-only command does not change a data directory. */
  protected boolean changes() {
    return true;
  }

  @Override
  public final Integer call() throws Exception {
    check();
    try (CommandTarget connection = target.open(changes())) {
      run(connection);
    }
    return 0;
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Whether results are printed as JSON. */
  protected final boolean json() {
    return OutputOptions.of(spec).json();
  }

  /** Prints the result: as JSON if requested, otherwise as a sentence. */
  protected final void print(Document result, String sentence) {
    out().println(json() ? ExtendedJson.relaxed(result) : sentence);
    out().flush();
  }
}

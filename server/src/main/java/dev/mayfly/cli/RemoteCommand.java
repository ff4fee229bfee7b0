package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks a server or a directory, and tells the answer as text or as JSON. */
abstract class RemoteCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * Checks the arguments before anything is opened.
   *
   * @throws CommandFailure when they make no sense
   */
  protected void check() {}

  /** Does what the command is for. */
  protected abstract void run(CommandTarget connection) throws Exception;

  /** Whether it changes what is stored; a directory that it only looks at stays as it is. */
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

  /** Whether programs read what is answered. */
  protected final boolean json() {
    return ((Main) spec.root().userObject()).json();
  }

  /** Tells an answer: as it is to programs, else as a sentence. */
  protected final void tell(Document answer, String sentence) {
    out().println(json() ? ExtendedJson.relaxed(answer) : sentence);
    out().flush();
  }
}

package dev.mayfly.cli;

import picocli.CommandLine.ExitCode;

/** A command cannot do what it was asked for. The message is a sentence for the user. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exit;

  CommandFailure(String message) {
    super(message);
    this.exit = ExitCode.SOFTWARE;
  }

  CommandFailure(String message, Throwable cause) {
    super(message, cause);
    this.exit = ExitCode.SOFTWARE;
  }

  private CommandFailure(String message, int exit) {
    super(message);
    this.exit = exit;
  }

  /** The command makes no sense as it was given. */
  static CommandFailure usage(String message) {
    return new CommandFailure(message, ExitCode.USAGE);
  }

  /** The exit code of the process. */
  int exit() {
    return exit;
  }
}

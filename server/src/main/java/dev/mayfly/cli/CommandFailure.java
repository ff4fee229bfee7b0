package dev.mayfly.cli;

import picocli.CommandLine.ExitCode;

/** Failure of a command. The message is a sentence for the user. */
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

  /** Invalid command or argument. */
  static CommandFailure usage(String message) {
    return new CommandFailure(message, ExitCode.USAGE);
  }

  /** The exit code of the process. */
  int exit() {
    return exit;
  }
}

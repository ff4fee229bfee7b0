package dev.mayfly.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A command without its required subcommand; its help is printed. */
final class MissingCommand extends ParameterException {
  private static final long serialVersionUID = 1;

  MissingCommand(CommandLine line) {
    super(line, "A command is missing.");
  }
}

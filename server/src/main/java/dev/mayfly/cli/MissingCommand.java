package dev.mayfly.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A command was given without the subcommand it needs: the answer is its help. */
final class MissingCommand extends ParameterException {
  private static final long serialVersionUID = 1;

  MissingCommand(CommandLine line) {
    super(line, "Which command?");
  }
}

package dev.mayfly.cli;

import picocli.CommandLine.Model.CommandSpec;

/** Options of all commands about their output: given to {@code mayfly} itself. */
interface OutputOptions {
  /** Whether results are printed as JSON. */
  boolean json();

  /** Returns the options of a command line. */
  static OutputOptions of(CommandSpec command) {
    return (OutputOptions) command.root().userObject();
  }
}

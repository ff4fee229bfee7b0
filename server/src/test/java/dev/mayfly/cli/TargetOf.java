package dev.mayfly.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The target that options select. */
final class TargetOf {
  private final Holder holder = new Holder();

  /** A command with target options only. */
  @Command(name = "holder")
  static final class Holder {
    @Mixin private Target target = new Target();
  }

  TargetOf(List<String> options) {
    new CommandLine(holder).parseArgs(options.toArray(String[]::new));
  }

  CommandTarget open() {
    return holder.target.open(true);
  }
}

package dev.mayfly.cli;

import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command {@code completion}: prints a completion script for bash and zsh. */
@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh: source <(mayfly completion)")
final class Completion implements Callable<Integer> {
  private static final String HEAD =
      """
      #!/usr/bin/env bash
      # Completes commands and options of mayfly, in bash and zsh: source <(mayfly completion)
      """;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    String script = AutoComplete.bash("mayfly", spec.root().commandLine());
    // picocli's own comments explain how picocli is installed
    String code =
        script.lines().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"));
    spec.commandLine().getOut().println(HEAD + code);
    spec.commandLine().getOut().flush();
    return 0;
  }
}

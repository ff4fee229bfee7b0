package dev.mayfly.cli;

import dev.mayfly.DoorException;
import dev.mayfly.config.ConfigurationException;
import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import dev.mayfly.store.StoreException;
import java.io.UncheckedIOException;
import java.net.BindException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParseResult;

/** What the user is told when a command fails: a sentence, and what to do. */
final class Complaints {
  private Complaints() {}

  /** Writes the sentence and returns the exit code. */
  static int about(Exception failure, CommandLine line, ParseResult parsed) throws Exception {
    String sentence =
        switch (failure) {
          case ConfigurationException wrong -> String.valueOf(wrong.getMessage());
          case DoorException door -> closed(door);
          case StoreException store -> refused(store);
          case CommandFailure told -> String.valueOf(told.getMessage());
          case UncheckedIOException io -> io.getMessage() + ": " + io.getCause();
          default -> throw failure;
        };
    line.getErr().println(sentence);
    line.getErr().flush();
    return failure instanceof ConfigurationException || failure instanceof DoorException
        ? ExitCode.USAGE
        : ExitCode.SOFTWARE;
  }

  private static String closed(DoorException door) {
    Setting port =
        switch (door.door()) {
          case MONGO -> Settings.MONGO_PORT;
          case COSMOS -> Settings.COSMOS_PORT;
          case ADMIN -> Settings.ADMIN_PORT;
        };
    Throwable cause = rootOf(door);
    boolean taken =
        cause instanceof BindException && String.valueOf(cause.getMessage()).contains("in use");
    return taken
        ? "Port %d is taken by another program: choose another with %s PORT (0 takes a free one)."
            .formatted(door.port(), port.option())
        : "Cannot listen at %s, port %d: %s. See %s and %s."
            .formatted(
                door.host(),
                door.port(),
                cause.getMessage(),
                Settings.BIND.option(),
                port.option());
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : rootOf(cause);
  }

  private static String refused(StoreException failure) {
    return switch (failure.reason()) {
      case IN_USE ->
          "The data directory is in use by another process: stop that one, or choose another"
              + " directory with --data DIR.";
      case NEWER_FORMAT ->
          "The data directory was written by a newer version of Mayfly: use that one.";
      default -> "The data directory cannot be used: " + failure.getMessage();
    };
  }
}

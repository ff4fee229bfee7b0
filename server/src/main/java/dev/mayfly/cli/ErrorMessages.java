package dev.mayfly.cli;

import dev.mayfly.admin.seed.SeedException;
import dev.mayfly.config.ConfigurationException;
import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import dev.mayfly.server.DoorException;
import dev.mayfly.server.ModeException;
import dev.mayfly.server.RemoteStoreException;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Error messages of the command line: a sentence that names the problem and the remedy; with {@code
 * --json} an object that contains it. Only internal errors show a stack trace.
 */
final class ErrorMessages {
  private static final String JSON = "--json";

  private ErrorMessages() {}

  /** Prints the failure of a command and returns the exit code. */
  static int print(Exception failure, CommandLine line, ParseResult parsed) throws Exception {
    String sentence =
        switch (failure) {
          case ConfigurationException wrong -> String.valueOf(wrong.getMessage());
          case DoorException door -> cannotListen(door);
          case SeedException seed -> String.valueOf(seed.getMessage());
          case ModeException mode -> String.valueOf(mode.getMessage());
          case RemoteStoreException remote -> String.valueOf(remote.getMessage());
          case StoreException store -> cannotOpen(store);
          case CommandFailure failed -> String.valueOf(failed.getMessage());
          case UncheckedIOException io -> unreadable(Objects.requireNonNull(io.getCause()));
          case IOException io -> unreadable(io);
          default -> throw failure;
        };
    int exit =
        switch (failure) {
          case ConfigurationException _ -> ExitCode.USAGE;
          case CommandFailure failed -> failed.exit();
          case ModeException _ -> ExitCode.USAGE;
          default -> ExitCode.SOFTWARE;
        };
    return write(line, sentence, exit, parsed.originalArgs().contains(JSON));
  }

  /** Prints what is wrong with the arguments, and the command that shows the help. */
  static int printUsage(ParameterException wrong, String[] arguments) {
    CommandLine line = wrong.getCommandLine();
    boolean json = List.of(arguments).contains(JSON);
    StringWriter reason = new StringWriter();
    PrintWriter text = new PrintWriter(reason, true);
    text.println(wrong.getMessage());
    if (wrong instanceof MissingCommand && !json) {
      line.usage(text);
    } else {
      UnmatchedArgumentException.printSuggestions(wrong, text);
      text.println("See '" + line.getCommandSpec().qualifiedName() + " --help'.");
    }
    return write(line, reason.toString().strip(), ExitCode.USAGE, json);
  }

  private static int write(CommandLine line, String sentence, int exit, boolean json) {
    Document failure = Document.writer().put("error", sentence).put("exit", exit).build();
    line.getErr().println(json ? Json.write(failure) : sentence);
    line.getErr().flush();
    return exit;
  }

  private static String unreadable(IOException failure) {
    return switch (failure) {
      case NoSuchFileException absent -> "There is no file " + absent.getFile() + ".";
      case AccessDeniedException denied -> "Access to " + denied.getFile() + " is denied.";
      case FileAlreadyExistsException inUse -> inUse.getFile() + " already exists.";
      case FileSystemException other -> other.getFile() + ": " + other.getReason() + ".";
      default -> String.valueOf(failure.getMessage());
    };
  }

  private static String cannotListen(DoorException door) {
    Setting port =
        switch (door.door()) {
          case MONGO -> Settings.MONGO_PORT;
          case COSMOS -> Settings.COSMOS_PORT;
          case ADMIN -> Settings.ADMIN_PORT;
          case HEALTH -> Settings.HEALTH_PORT;
        };
    Throwable cause = rootOf(door);
    boolean inUse =
        cause instanceof BindException && String.valueOf(cause.getMessage()).contains("in use");
    return inUse
        ? "Port %d is in use by another program: choose another with %s PORT (0 for a free one)."
            .formatted(door.port(), port.option())
        : "Cannot listen on %s, port %d: %s. See %s and %s."
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

  private static String cannotOpen(StoreException failure) {
    return switch (failure.reason()) {
      case IN_USE ->
          "The data directory is in use by another process: stop it, or choose another"
              + " directory with --data DIR.";
      case NEWER_FORMAT ->
          "A newer version of Mayfly has written the data directory: use that version.";
      default -> "The data directory cannot be used: " + failure.getMessage();
    };
  }
}

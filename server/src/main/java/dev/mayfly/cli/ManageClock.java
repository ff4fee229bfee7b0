package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command {@code clock}: shows and confirms the time of a server. */
@Command(
    name = "clock",
    description = "Show and confirm the time by which documents expire.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ManageClock.Show.class, ManageClock.Confirm.class})
final class ManageClock implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new MissingCommand(spec.commandLine());
  }

  /** Command {@code clock show}. */
  @Command(name = "show", description = "Show the time, and whether it is confirmed.")
  static final class Show extends RemoteCommand {
    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      Document reply = connection.request("GET", "/clock");
      print(reply, sentence(reply));
    }
  }

  /** Command {@code clock confirm}. */
  @Command(
      name = "confirm",
      description =
          "Confirm the system clock after it was set. Documents that are expired by"
              + " this clock are removed; if it was set back, documents that have expired"
              + " since can become visible again.")
  static final class Confirm extends RemoteCommand {
    @Override
    protected void run(CommandTarget connection) {
      Document reply = connection.request("POST", "/clock/confirm");
      print(reply, sentence(reply));
    }
  }

  private static String sentence(Document reply) {
    String now = "It is " + Instant.ofEpochMilli(reply.field("now").asDate());
    Value leap = reply.field("leapMillis");
    if (leap.isMissing()) {
      return now + ", confirmed.";
    }
    long confirmedIn = reply.field("confirmedInMillis").asLong();
    return now
        + ", not confirmed: the system clock is "
        + Duration.ofMillis(Math.abs(leap.asLong()))
        + (leap.asLong() > 0 ? " ahead." : " behind.")
        + (confirmedIn < 0
            ? " Confirm it with 'mayfly clock confirm'."
            : " It is confirmed automatically in "
                + Duration.ofMillis(confirmedIn)
                + ", or with 'mayfly clock confirm'.");
  }
}

package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What time it is for a server, and whether its clock is believed. */
@Command(
    name = "clock",
    description = "See and confirm the time by which documents expire.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ManageClock.Show.class, ManageClock.Confirm.class})
final class ManageClock implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  /** Says what time it is. */
  @Command(name = "show", description = "Say what time it is, and whether that is confirmed.")
  static final class Show extends RemoteCommand {
    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      Document answer = connection.ask("GET", "/clock");
      tell(answer, sentence(answer));
    }
  }

  /** Believes the clock. */
  @Command(
      name = "confirm",
      description =
          "Confirm the system clock as it is now, after it was set. What it says is expired is"
              + " removed; if it was set back, what has expired since can come back.")
  static final class Confirm extends RemoteCommand {
    @Override
    protected void run(CommandTarget connection) {
      Document answer = connection.ask("POST", "/clock/confirm");
      tell(answer, sentence(answer));
    }
  }

  private static String sentence(Document answer) {
    String now = "It is " + Instant.ofEpochMilli(answer.field("now").asDate());
    Value leap = answer.field("leapMillis");
    if (leap.isMissing()) {
      return now + ", confirmed.";
    }
    long confirmedIn = answer.field("confirmedInMillis").asLong();
    return now
        + ", not confirmed: the system clock is "
        + Duration.ofMillis(Math.abs(leap.asLong()))
        + (leap.asLong() > 0 ? " ahead." : " behind.")
        + (confirmedIn < 0
            ? " It is confirmed by 'mayfly clock confirm'."
            : " It is confirmed in "
                + Duration.ofMillis(confirmedIn)
                + ", or by 'mayfly clock confirm'.");
  }
}

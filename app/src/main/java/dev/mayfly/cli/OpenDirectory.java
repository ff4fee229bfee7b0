package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.StoppedClock;
import dev.mayfly.admin.AdminException;
import dev.mayfly.admin.Desk;
import dev.mayfly.engine.ClockLimits;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.HandClock;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.value.Document;
import java.nio.file.Path;
import java.util.Optional;

/** A directory that no server has open. Nothing is swept while a command looks at it. */
final class OpenDirectory implements Connection {
  /** A command does not say for the next server what time it is. */
  private static final MayflySettings LOOKING =
      MayflySettings.standard().withBackground(false).withClock(new ClockLimits(0, 0));

  private final Mayfly mayfly;
  private final Desk desk;

  private OpenDirectory(Mayfly mayfly, Desk desk) {
    this.mayfly = mayfly;
    this.desk = desk;
  }

  static OpenDirectory open(Path directory) {
    Mayfly mayfly = instance(directory);
    Users users = new Users(mayfly.engine());
    return new OpenDirectory(
        mayfly, new Desk(mayfly.engine(), Optional.empty(), users, mayfly::backup));
  }

  /** What is in a directory, by its own clock if that is stopped. */
  static Mayfly instance(Path directory) {
    Optional<HandClock> stopped = StoppedClock.in(directory);
    Clock clock = stopped.<Clock>map(hand -> hand).orElse(System::currentTimeMillis);
    return Mayfly.open(directory, clock, LOOKING);
  }

  @Override
  public Document ask(String method, String path, Document body) {
    try {
      return desk.answer(method, path, body);
    } catch (AdminException refused) {
      throw new CommandFailure(String.valueOf(refused.getMessage()), refused);
    }
  }

  @Override
  public void close() {
    mayfly.close();
  }
}

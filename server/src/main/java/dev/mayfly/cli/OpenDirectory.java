package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.StoppedClock;
import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.AdminException;
import dev.mayfly.engine.ClockLimits;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.server.EmulatorMark;
import dev.mayfly.server.OfflineDefinitions;
import dev.mayfly.value.Document;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Command target: a data directory that no server has open. Nothing is swept while a command uses
 * it.
 */
final class OpenDirectory implements CommandTarget {
  /** No background work; does not store the time of the command as engine time. */
  private static final MayflySettings SETTINGS =
      MayflySettings.standard().withBackground(false).withClock(new ClockLimits(0, 0));

  private final Mayfly mayfly;
  private final AdminApi adminApi;

  private OpenDirectory(Mayfly mayfly, AdminApi adminApi) {
    this.mayfly = mayfly;
    this.adminApi = adminApi;
  }

  /**
   * Opens a data directory.
   *
   * @param changes whether the command writes; otherwise the directory is not changed
   */
  static OpenDirectory open(Path directory, boolean changes) {
    Clock clock = clock(directory);
    Mayfly mayfly =
        changes ? Mayfly.open(directory, clock, SETTINGS) : Mayfly.view(directory, clock, SETTINGS);
    Users users = new Users(mayfly.engine());
    AdminApi adminApi =
        new AdminApi(
            mayfly.engine(),
            Optional.empty(),
            users,
            backup -> {
              mayfly.backup(backup);
              EmulatorMark.copy(directory, backup);
            });
    adminApi.definitions(() -> OfflineDefinitions.list(mayfly.engine(), adminApi));
    return new OpenDirectory(mayfly, adminApi);
  }

  /** The clock of a directory: its stopped clock if it has one, otherwise the system clock. */
  static Clock clock(Path directory) {
    Optional<ManualClock> stopped = StoppedClock.in(directory);
    return stopped.<Clock>map(manual -> manual).orElse(System::currentTimeMillis);
  }

  @Override
  public Document request(String method, String path, Document body) {
    try {
      return adminApi.answer(method, path, body);
    } catch (AdminException refused) {
      throw new CommandFailure(String.valueOf(refused.getMessage()), refused);
    }
  }

  @Override
  public Optional<String> text(String path) {
    return Optional.empty();
  }

  @Override
  public void close() {
    mayfly.close();
  }
}

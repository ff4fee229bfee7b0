package dev.mayfly;

import dev.mayfly.engine.ClockLimits;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.storage.StoredRange;
import dev.mayfly.expiry.Clock;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.rocksdb.DamagedFile;
import dev.mayfly.store.rocksdb.LogDamage;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.store.rocksdb.TableFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Inspection of a directory that no server has open: checks the log and the checksum of every
 * block, then opens it. Changes nothing unless repair is requested.
 */
public final class OfflineInspection implements AutoCloseable {
  private final List<Damage> damages = new ArrayList<>();
  private final RocksStore store;
  private final Engine engine;

  /**
   * Damage found in a file.
   *
   * @param what description of the damage, without a full stop
   * @param remedy what was or can be done about it
   */
  public record Damage(String what, String remedy, boolean repaired) {}

  private OfflineInspection(RocksStore store, Engine engine) {
    this.store = store;
    this.engine = engine;
  }

  /**
   * Inspects and opens a directory.
   *
   * @param repair whether the directory may be changed to continue after damage
   * @throws UnreadableException when it cannot be opened at all
   */
  public static OfflineInspection of(Path directory, Clock clock, boolean repair) {
    Optional<LogDamage> log = RocksStore.logDamage(directory);
    List<DamagedFile> files = RocksStore.damagedFiles(directory);
    MayflySettings settings =
        MayflySettings.standard().withBackground(false).withClock(new ClockLimits(0, 0));
    try {
      RocksStore store =
          repair
              ? RocksStore.open(directory, settings.store().withAcceptDamagedLog(true))
              : RocksStore.view(directory, settings.store());
      OfflineInspection inspection = new OfflineInspection(store, engine(store, clock, settings));
      log.ifPresent(damage -> inspection.damages.add(ofLog(damage, repair)));
      files.forEach(file -> inspection.damages.add(inspection.ofFile(file, repair)));
      return inspection;
    } catch (StoreException failure) {
      if (failure.reason() == StoreException.Reason.IN_USE) {
        throw failure;
      }
      throw new UnreadableException(unreadable(log, files, failure), failure);
    }
  }

  private static Engine engine(RocksStore store, Clock clock, MayflySettings settings) {
    try {
      return LocalEngine.open(store, clock, settings.engine());
    } catch (RuntimeException failure) {
      store.close();
      throw failure;
    }
  }

  private static List<String> unreadable(
      Optional<LogDamage> log, List<DamagedFile> files, StoreException failure) {
    Stream<String> damaged = files.stream().map(file -> file.name() + ": " + file.problem());
    return Stream.of(
            log.map(LogDamage::describe).stream(), damaged, Stream.of(failure.getMessage()))
        .flatMap(lines -> lines)
        .map(String::valueOf)
        .toList();
  }

  private static Damage ofLog(LogDamage damage, boolean repair) {
    if (damage.isTornTail()) {
      return new Damage(
          damage.describe(),
          "caused by a crash during a commit; it is removed at the next start",
          true);
    }
    return repair
        ? new Damage(
            damage.describe(), "these commits are lost; a copy of the log is in damaged-logs", true)
        : new Damage(
            damage.describe(),
            "restore a backup, or use --repair to continue with the data before the damage",
            false);
  }

  private Damage ofFile(DamagedFile file, boolean repair) {
    Optional<TableFile> table = table(file.name());
    String what =
        file.name()
            + table.map(live -> " (" + description(live) + ")").orElse("")
            + ": "
            + file.problem();
    boolean feed = table.isPresent() && onlyChanges(table.get());
    if (repair && table.isPresent() && feed) {
      collections(table.get()).forEach(Collection::cutFeed);
      boolean gone = table(file.name()).isEmpty();
      return gone
          ? new Damage(what, "the feed was truncated: its readers must start again", true)
          : new Damage(
              what, "the feed was truncated, but the file still exists: restore a backup", false);
    }
    if (table.isEmpty()) {
      return new Damage(what, "the file is no longer needed and can be removed", false);
    }
    return new Damage(
        what,
        feed ? "use --repair to truncate the feed, or restore a backup" : "restore a backup",
        false);
  }

  private Optional<TableFile> table(String name) {
    return store.tables().stream().filter(table -> table.name().equals(name)).findFirst();
  }

  private static boolean onlyChanges(TableFile table) {
    return table.firstShard() == table.lastShard() && range(table).onlyChanges();
  }

  private static StoredRange range(TableFile table) {
    return table.firstShard() == table.lastShard()
        ? table
            .space()
            .map(space -> StoredRange.between(space, table.firstKey(), table.lastKey()))
            .orElse(new StoredRange("owners", false))
        : table.space().map(StoredRange::of).orElse(new StoredRange("owners", false));
  }

  private String description(TableFile table) {
    List<String> names =
        collections(table).map(collection -> collection.namespace().toString()).sorted().toList();
    return range(table).words() + (names.isEmpty() ? "" : " of " + String.join(", ", names));
  }

  private Stream<Collection> collections(TableFile table) {
    return engine.namespaces().stream()
        .map((Namespace name) -> engine.collection(name))
        .filter(collection -> reaches(table, collection));
  }

  private static boolean reaches(TableFile table, Collection collection) {
    for (int shard = table.firstShard(); shard <= table.lastShard(); shard++) {
      if (collection.hasShard(shard)) {
        return true;
      }
    }
    return false;
  }

  /** All damages, repaired or not. */
  public List<Damage> damages() {
    return List.copyOf(damages);
  }

  public Engine engine() {
    return engine;
  }

  @Override
  public void close() {
    try {
      engine.close();
    } finally {
      store.close();
    }
  }
}

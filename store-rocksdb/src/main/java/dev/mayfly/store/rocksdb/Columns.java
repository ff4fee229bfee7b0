package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Space;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;

/** The open database and the column family of each space. */
final class Columns {
  private static final String AHEAD = "Column family inconsistency";

  private final RocksDB database;
  private final ColumnFamilyHandle internal;
  private final List<ColumnFamilyHandle> spaces;
  private final int[] numbers;

  private Columns(RocksDB database, List<ColumnFamilyHandle> handles) {
    this.database = database;
    this.internal = handles.getFirst();
    this.spaces = List.copyOf(handles.subList(1, handles.size()));
    this.numbers = spaces.stream().mapToInt(ColumnFamilyHandle::getID).toArray();
  }

  static Columns open(
      String directory,
      Tuning tuning,
      Map<Space, FilterFactory> filters,
      DBOptions options,
      NativeResources nativeResources)
      throws RocksDBException {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, tuning.internal()));
    for (Space space : Space.values()) {
      ColumnFamilyOptions family = tuning.of(space);
      if (filters.containsKey(space)) {
        family.setCompactionFilterFactory(filters.get(space));
      }
      families.add(new ColumnFamilyDescriptor(name(space), family));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksDB database = nativeResources.keep(open(options, directory, families, handles, tuning));
    handles.forEach(nativeResources::keep);
    return new Columns(database, handles);
  }

  /**
   * Opens the database. If a file already contains commits after the damage of a log, stopping at
   * the damage would make column families inconsistent, which RocksDB rejects. In that case all
   * readable commits are replayed.
   */
  private static RocksDB open(
      DBOptions options,
      String directory,
      List<ColumnFamilyDescriptor> families,
      List<ColumnFamilyHandle> handles,
      Tuning tuning)
      throws RocksDBException {
    try {
      return RocksDB.open(options, directory, families, handles);
    } catch (RocksDBException e) {
      if (!tuning.acceptsDamagedLog() || !String.valueOf(e.getMessage()).contains(AHEAD)) {
        throw e;
      }
      handles.clear();
      options.setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords);
      return RocksDB.open(options, directory, families, handles);
    }
  }

  private static byte[] name(Space space) {
    return space.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
  }

  RocksDB database() {
    return database;
  }

  /** Returns the column family for the store's own data. */
  ColumnFamilyHandle internal() {
    return internal;
  }

  ColumnFamilyHandle of(Space space) {
    return spaces.get(space.code());
  }

  List<ColumnFamilyHandle> all() {
    return spaces;
  }

  /** Returns the ids of the column families, by the code of the space. */
  int[] numbers() {
    return numbers;
  }
}

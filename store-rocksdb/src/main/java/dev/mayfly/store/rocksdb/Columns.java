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

/** The open database and the column family of each space. */
final class Columns {
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
      Natives natives)
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
    RocksDB database = natives.keep(RocksDB.open(options, directory, families, handles));
    handles.forEach(natives::keep);
    return new Columns(database, handles);
  }

  private static byte[] name(Space space) {
    return space.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
  }

  RocksDB database() {
    return database;
  }

  /** Where the store keeps what is its own. */
  ColumnFamilyHandle internal() {
    return internal;
  }

  ColumnFamilyHandle of(Space space) {
    return spaces.get(space.code());
  }

  List<ColumnFamilyHandle> all() {
    return spaces;
  }

  /** RocksDB's number of each space's column family, by the code of the space. */
  int[] numbers() {
    return numbers;
  }
}

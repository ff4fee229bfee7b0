package dev.mayfly.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Owners of a cell that stop without closing it, or go on after another has claimed it. */
@ExtendWith(SeedExtension.class)
class CellRecoveryTest {
  private static CassandraStores stores;

  @BeforeAll
  static void connect() {
    TestCluster.assumeAvailable();
    stores = TestCluster.open(TestCluster.tiny());
  }

  @AfterAll
  static void disconnect() {
    if (stores != null) {
      stores.close();
    }
  }

  @Test
  void claimFencesTheFormerOwner() {
    int cell = TestCluster.newCell();
    try (Store former = stores.claim(cell)) {
      Shard old = former.own(1);
      old.commit(new Batch().put(Space.RECORDS, new byte[] {1}, new byte[] {1}));
      try (Store next = stores.claim(cell)) {
        Shard young = next.own(1);
        assertThat(young.read(Space.RECORDS, new byte[] {1})).containsExactly(1);
        assertFenced(() -> old.commit(new Batch().put(Space.META, new byte[0], new byte[0])));
        assertFenced(() -> former.own(2));
        assertThat(young.read(Space.META, new byte[0])).isNull();
      }
    }
  }

  private static void assertFenced(Runnable commit) {
    assertThatThrownBy(commit::run)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FENCED));
  }

  /** The former owners are never closed: their checkpoints go on until they find that out. */
  @Test
  void nextOwnerFindsAllCommitsWhileFormerOwnersWriteCheckpoints(Random random) {
    int cell = TestCluster.newCell();
    TreeMap<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
    List<Store> owners = new ArrayList<>();
    for (int round = 0; round < 6; round++) {
      Store store = stores.claim(cell);
      owners.add(store);
      Shard shard = store.own(1);
      assertThat(entries(shard)).isEqualTo(flat(expected));
      for (int i = 0; i < 60; i++) {
        shard.commit(change(random, expected));
      }
      assertThat(entries(shard)).isEqualTo(flat(expected));
    }
    owners.forEach(Store::close);
    try (Store last = stores.claim(cell)) {
      for (Space space : Space.values()) {
        last.reclaim(1, space);
      }
      assertThat(entries(last.own(1))).isEqualTo(flat(expected));
    }
  }

  private static Batch change(Random random, Map<byte[], byte[]> expected) {
    Batch batch = new Batch();
    for (int i = random.nextInt(8); i >= 0; i--) {
      byte[] key = {(byte) random.nextInt(6), (byte) random.nextInt(40)};
      switch (random.nextInt(10)) {
        case 0 -> {
          Range range = Range.of(key, new byte[] {key[0], (byte) (key[1] + random.nextInt(20))});
          batch.deleteRange(Space.ENTRIES, range);
          expected.keySet().removeIf(range::contains);
        }
        case 1, 2, 3 -> {
          batch.delete(Space.ENTRIES, key);
          expected.remove(key);
        }
        default -> {
          byte[] value = new byte[random.nextInt(60)];
          random.nextBytes(value);
          batch.put(Space.ENTRIES, key, value);
          expected.put(key, value);
        }
      }
    }
    return batch;
  }

  private static String entries(Shard shard) {
    StringBuilder text = new StringBuilder();
    try (Scan scan = shard.scan(Space.ENTRIES, Range.all(), Direction.UP)) {
      while (scan.next()) {
        text.append(entry(scan.key(), scan.value()));
      }
    }
    return text.toString();
  }

  private static String flat(Map<byte[], byte[]> map) {
    StringBuilder text = new StringBuilder();
    map.forEach((key, value) -> text.append(entry(key, value)));
    return text.toString();
  }

  private static String entry(byte[] key, byte[] value) {
    return Arrays.toString(key) + "=" + Arrays.hashCode(value) + "\n";
  }
}

package dev.mayfly.engine.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TransactionLimits;
import dev.mayfly.engine.UpdateFunction;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.local.LocalTransaction;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Concurrent transfers between accounts in several collections and shards; the total stays the
 * same.
 */
@ExtendWith(SeedExtension.class)
final class TransactionCrowdTest {
  private static final int ACCOUNTS = 8;
  private static final int BALANCE = 1000;
  private static final int TRANSFERS = 150;
  private static final int CLERKS = 4;

  @TempDir private Path directory = Path.of("");

  @Test
  void snapshotsAreConsistentInMemory(Random random) throws Exception {
    try (Store store = MemoryStore.withFilters()) {
      run(store, random);
    }
  }

  @Test
  void snapshotsAreConsistentOnDisk(Random random) throws Exception {
    try (Store store =
        RocksStore.open(directory, RocksSettings.defaults().withCacheBytes(8 << 20))) {
      run(store, random);
    }
  }

  private static void run(Store store, Random random) throws Exception {
    ManualClock clock = new ManualClock(1_700_000_000_000L);
    EngineSettings settings =
        EngineSettings.standard(clock::now)
            .withBackground(false)
            .withTransactions(new TransactionLimits(60_000, 1 << 20, 30_000));
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      List<LocalCollection> banks =
          List.of(
              engine.create(new Namespace("bank", "one"), CollectionSpec.mongo().withShards(2)),
              engine.create(new Namespace("bank", "two"), CollectionSpec.mongo()));
      for (int i = 0; i < ACCOUNTS; i++) {
        for (LocalCollection bank : banks) {
          bank.insert(account(i, BALANCE));
        }
      }
      Crowd crowd = new Crowd();
      AtomicInteger bonus = new AtomicInteger();
      for (int i = 0; i < CLERKS; i++) {
        Random own = new Random(random.nextLong());
        crowd.worker(() -> transfers(engine, banks, own));
      }
      Random donor = new Random(random.nextLong());
      crowd.worker(
          () -> {
            for (int i = 0; i < TRANSFERS; i++) {
              banks.get(donor.nextInt(2)).write(add(donor.nextInt(ACCOUNTS), 2));
              banks.get(donor.nextInt(2)).write(add(donor.nextInt(ACCOUNTS), -2));
              bonus.incrementAndGet();
            }
          });
      crowd.meanwhile(
          () -> {
            try (LocalTransaction audit = engine.begin()) {
              int total = banks.stream().mapToInt(bank -> total(audit.query(bank, all()))).sum();
              assertThat(total).isIn(2 * ACCOUNTS * BALANCE, 2 * ACCOUNTS * BALANCE + 2);
            }
          });
      crowd.runOnVirtualThreads();
      assertThat(banks.stream().mapToInt(bank -> total(bank.query(all()))).sum())
          .isEqualTo(2 * ACCOUNTS * BALANCE);
      assertThat(bonus).hasValue(TRANSFERS);
      banks.forEach(bank -> Audit.check(engine, bank));
    }
  }

  private static void transfers(LocalEngine engine, List<LocalCollection> banks, Random random) {
    for (int done = 0; done < TRANSFERS; ) {
      LocalCollection from = banks.get(random.nextInt(2));
      LocalCollection to = banks.get(random.nextInt(2));
      int amount = random.nextInt(100);
      int payer = random.nextInt(ACCOUNTS);
      int payee = random.nextInt(ACCOUNTS);
      try (LocalTransaction transfer = engine.begin()) {
        transfer.write(from, List.of(add(payer, -amount)));
        transfer.write(to, List.of(add(payee, amount)));
        transfer.commit(Durability.LOGGED);
        done++;
      } catch (EngineException refused) {
        assertThat(refused.reason()).isEqualTo(Reason.WRITE_CONFLICT);
      }
    }
  }

  private static Document account(int id, int balance) {
    return Document.writer().put("_id", id).put("balance", balance).build();
  }

  private static Write add(int id, int amount) {
    UpdateFunction change = before -> account(id, before.field("balance").asInt() + amount);
    return new Write.Update(DocumentKey.of(Value.of(id)), change);
  }

  private static Query all() {
    return Query.of(Filter.all(), Mode.MATCH);
  }

  private static int total(QueryCursor cursor) {
    int total = 0;
    try (cursor) {
      while (cursor.next()) {
        total += cursor.document().field("balance").asInt();
      }
    }
    return total;
  }
}

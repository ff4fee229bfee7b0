package dev.mayfly.engine.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process during transactions: each of them is stored completely or not at all. */
@ExtendWith(SeedExtension.class)
final class TransactionKillTest {
  private static final int ROUNDS = 5;
  private static final long TRANSFERS_PER_ROUND = 1L << 30;

  @TempDir private Path directory = Path.of("");

  private final Set<String> acknowledged = new HashSet<>();
  private final Set<Integer> clerks = new HashSet<>();

  @Test
  void transactionsAreAtomicAcrossAKill(Random random) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      kill(round * TRANSFERS_PER_ROUND, random);
      examine();
    }
    assertThat(acknowledged).as("transfers that were acknowledged").isNotEmpty();
  }

  private void kill(long first, Random random) throws IOException, InterruptedException {
    try (KilledProcess process =
        KilledProcess.start(this::note, KilledBank.class, directory, first, random.nextLong())) {
      process.read(1 + random.nextInt(1500));
      process.kill();
    }
  }

  private void note(String line) {
    if (line.startsWith("ack ") && line.endsWith(KilledBank.END)) {
      String[] words = line.split(" ", -1);
      int clerk = Integer.parseInt(words[1]);
      long number = Long.parseLong(words[2]);
      acknowledged.add(KilledBank.slipId(clerk, number).asString());
      clerks.add(clerk);
    }
  }

  private void examine() {
    ManualClock clock = new ManualClock(1_700_000_000_000L);
    try (RocksStore store = KilledWriter.open(directory);
        LocalEngine engine = LocalEngine.open(store, clock, KilledWriter.settings(clock))) {
      long total = 0;
      Set<String> both = new HashSet<>();
      Set<String> either = new HashSet<>();
      for (Namespace name : KilledBank.BANKS) {
        LocalCollection bank = engine.collection(name);
        Audit.check(engine, bank);
        Set<String> slips = new HashSet<>();
        try (QueryCursor cursor = bank.query(Query.of(Filter.all(), Mode.MATCH))) {
          while (cursor.next()) {
            Document document = cursor.document();
            Value balance = document.field("balance");
            if (balance.isMissing()) {
              slips.add(document.field("_id").asString());
            } else {
              total += balance.asInt();
            }
          }
        }
        if (either.isEmpty()) {
          both.addAll(slips);
        } else {
          both.retainAll(slips);
        }
        either.addAll(slips);
      }
      assertThat(total).isEqualTo(2L * KilledBank.ACCOUNTS * KilledBank.BALANCE);
      assertThat(both).as("slips in both collections").isEqualTo(either);
      assertThat(either).as("acknowledged transfers").containsAll(acknowledged);
      clerks.forEach(clerk -> assertRemembered(engine, either, clerk));
      assertBooks(engine, either);
    }
  }

  /** A collection that a transfer has created exists if and only if its slip exists. */
  private static void assertBooks(LocalEngine engine, Set<String> slips) {
    Set<Namespace> expected = new HashSet<>();
    for (String slip : slips) {
      String[] parts = slip.split("/", -1);
      long number = Long.parseLong(parts[1]);
      if (KilledBank.opensABook(number)) {
        expected.add(KilledBank.book(Integer.parseInt(parts[0]), number));
      }
    }
    Set<Namespace> books = new HashSet<>(engine.namespaces());
    KilledBank.BANKS.forEach(books::remove);
    assertThat(books).isEqualTo(expected);
    books.forEach(book -> assertThat(engine.collection(book).count(Filter.all())).isEqualTo(1));
  }

  /** The receipt of a commit is stored with its writes. */
  private static void assertRemembered(LocalEngine engine, Set<String> slips, int clerk) {
    long newest =
        slips.stream()
            .filter(slip -> slip.startsWith(clerk + "/"))
            .mapToLong(slip -> Long.parseLong(slip.substring(slip.indexOf('/') + 1)))
            .max()
            .orElseThrow();
    TransactionId id = new TransactionId(KilledBank.session(clerk), newest);
    assertThat(engine.committed(id)).as(id.toString()).isTrue();
    TransactionId next = new TransactionId(KilledBank.session(clerk), newest + 1);
    assertThat(engine.committed(next)).as(next.toString()).isFalse();
  }
}

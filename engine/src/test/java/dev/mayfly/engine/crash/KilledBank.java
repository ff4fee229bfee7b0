package dev.mayfly.engine.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.UpdateFunction;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.local.LocalTransaction;
import dev.mayfly.engine.race.Crowd;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Process that {@link TransactionKillTest} kills: transfers money between collections and shards
 * and prints every acknowledged transfer. Each transfer inserts a slip with its number into both
 * collections.
 */
final class KilledBank {
  static final List<Namespace> BANKS =
      List.of(new Namespace("bank", "one"), new Namespace("bank", "two"));
  static final int ACCOUNTS = 10;
  static final int BALANCE = 1000;
  static final String END = " .";

  private static final int CLERKS = 3;

  private KilledBank() {}

  /** Arguments: a directory, the number of the first transfer and a seed. */
  public static void main(String[] arguments) throws Exception {
    ManualClock clock = new ManualClock(1_700_000_000_000L);
    RocksStore store = KilledWriter.open(Path.of(arguments[0]));
    LocalEngine engine =
        LocalEngine.open(store, clock, KilledWriter.settings(clock).withBackground(true));
    if (engine.find(BANKS.getLast()).isEmpty()) {
      found(engine);
    }
    long first = Long.parseLong(arguments[1]);
    Crowd crowd = new Crowd();
    for (int clerk = 0; clerk < CLERKS; clerk++) {
      Random random = new Random(Long.parseLong(arguments[2]) + clerk);
      int own = clerk;
      crowd.worker(() -> work(engine, own, first, random, System.out));
    }
    crowd.runOnPlatformThreads();
  }

  /** Creates the accounts in one transaction. */
  private static void found(LocalEngine engine) {
    for (Namespace name : BANKS) {
      if (engine.find(name).isEmpty()) {
        engine.create(name, CollectionSpec.mongo().withShards(2));
      }
    }
    try (LocalTransaction founding = engine.begin()) {
      for (Namespace name : BANKS) {
        for (int i = 0; i < ACCOUNTS; i++) {
          founding.write(engine.collection(name), List.of(new Write.Insert(account(i, BALANCE))));
        }
      }
      founding.commit(Durability.SYNCED);
    }
  }

  private static void work(
      LocalEngine engine, int clerk, long first, Random random, PrintStream out) {
    for (long number = first; !out.checkError(); number++) {
      LocalCollection from = engine.collection(BANKS.get(random.nextInt(2)));
      LocalCollection to = engine.collection(BANKS.get(random.nextInt(2)));
      int amount = random.nextInt(50);
      try (LocalTransaction transfer = engine.begin(new TransactionId(session(clerk), number))) {
        transfer.write(from, List.of(add(random.nextInt(ACCOUNTS), -amount)));
        transfer.write(to, List.of(add(random.nextInt(ACCOUNTS), amount)));
        for (Namespace name : BANKS) {
          transfer.write(engine.collection(name), List.of(new Write.Insert(slip(clerk, number))));
        }
        if (opensABook(number)) {
          LocalCollection book = transfer.create(book(clerk, number), CollectionSpec.mongo());
          transfer.write(book, List.of(new Write.Insert(slip(clerk, number))));
        }
        transfer.commit(random.nextInt(8) == 0 ? Durability.SYNCED : Durability.LOGGED);
      } catch (EngineException conflict) {
        continue;
      }
      byte[] line = ("ack " + clerk + " " + number + END + "\n").getBytes(UTF_8);
      synchronized (out) {
        out.write(line, 0, line.length);
        out.flush();
      }
    }
  }

  /** Returns whether a transfer creates a collection. */
  static boolean opensABook(long number) {
    return number % 50 == 0;
  }

  static Namespace book(int clerk, long number) {
    return new Namespace("books", clerk + "-" + number);
  }

  static ByteKey session(int clerk) {
    return ByteKey.of(ByteBuffer.allocate(4).putInt(clerk).array());
  }

  static Value slipId(int clerk, long number) {
    return Value.of(clerk + "/" + number);
  }

  private static Document slip(int clerk, long number) {
    return Document.writer().put("_id", slipId(clerk, number)).build();
  }

  private static Document account(int id, int balance) {
    return Document.writer().put("_id", id).put("balance", balance).build();
  }

  private static Write add(int id, int amount) {
    UpdateFunction change = before -> account(id, before.field("balance").asInt() + amount);
    return new Write.Update(DocumentKey.of(Value.of(id)), change);
  }
}

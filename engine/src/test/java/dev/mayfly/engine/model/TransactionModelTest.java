package dev.mayfly.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TransactionLimits;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.local.LocalTransaction;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Transactions against a simple model: several open transactions take random turns, with plain
 * writes, a moving clock and a sweep.
 */
@ExtendWith(SeedExtension.class)
final class TransactionModelTest {
  private static final int HISTORIES = 60;
  private static final int STEPS = 200;
  private static final int KEYS = 6;
  private static final int UPDATE = 2;
  private static final int MOST_OPEN = 4;
  private static final long LIFE_MILLIS = 20_000;
  private static final long OLDEST_MILLIS = 300_000;

  /** A document of the model; each write has another version. */
  private record Doc(int value, long version, long writtenAt) {
    boolean live(boolean expires, long now) {
      return !expires || writtenAt / 1000 * 1000 + LIFE_MILLIS > now;
    }
  }

  /** A document of one of the two collections. */
  private record Place(int collection, int id) {}

  /** An open transaction and its state in the model. */
  private static final class Open {
    final LocalTransaction transaction;
    final Map<Place, Doc> snapshot;
    final Map<Place, Optional<Integer>> written = new HashMap<>();
    final Set<Place> held = new HashSet<>();

    Open(LocalTransaction transaction, Map<Place, Doc> snapshot) {
      this.transaction = transaction;
      this.snapshot = new HashMap<>(snapshot);
    }
  }

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final List<Open> open = new ArrayList<>();
  private final Map<Place, Doc> committed = new HashMap<>();
  private List<LocalCollection> collections = List.of();
  private long versions;

  @Test
  void transactionsBehaveLikeTheModel(Random random) {
    int conflicts = 0;
    int commits = 0;
    for (int i = 0; i < HISTORIES; i++) {
      int[] counts = history(random);
      conflicts += counts[0];
      commits += counts[1];
    }
    assertThat(conflicts).as("conflicts").isPositive();
    assertThat(commits).as("commits").isGreaterThan(conflicts / 10);
  }

  private int[] history(Random random) {
    open.clear();
    committed.clear();
    EngineSettings settings =
        EngineSettings.standard(clock::now)
            .withBackground(false)
            .withTransactions(new TransactionLimits(3_600_000, 1 << 20, 0));
    int[] counts = new int[2];
    try (LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings)) {
      collections =
          List.of(
              engine.create(
                  new Namespace("test", "expiring"),
                  CollectionSpec.mongo().withShards(2).withDefaultTtl(LIFE_MILLIS / 1000)),
              engine.create(new Namespace("test", "lasting"), CollectionSpec.mongo()));
      for (int i = 0; i < STEPS; i++) {
        step(engine, random, counts);
        check();
      }
      open.forEach(one -> one.transaction.abort());
      engine.workUntilIdle();
      collections.forEach(collection -> Audit.check(engine, collection));
    }
    return counts;
  }

  private void step(LocalEngine engine, Random random, int[] counts) {
    int what = random.nextInt(100);
    boolean any = !open.isEmpty();
    Open one = any ? open.get(random.nextInt(open.size())) : null;
    if (what < 12 && open.size() < MOST_OPEN) {
      open.add(new Open(engine.begin(), committed));
    } else if (what < 60 && one != null) {
      counts[0] += writeIn(one, place(random), random) ? 0 : 1;
    } else if (what < 72 && one != null) {
      commit(one);
      counts[1]++;
    } else if (what < 76 && one != null) {
      end(one);
      one.transaction.abort();
    } else if (what < 92) {
      writeOutside(place(random), random);
    } else if (what < 97) {
      clock.advance(Duration.ofMillis(random.nextInt(15_000)));
      long oldest = clock.now() - OLDEST_MILLIS;
      for (Open old : List.copyOf(open)) {
        if (old.transaction.now() < oldest) {
          end(old);
          old.transaction.abort();
        }
      }
    } else {
      engine.workUntilIdle();
    }
  }

  private static Place place(Random random) {
    return new Place(random.nextInt(2), random.nextInt(KEYS));
  }

  private LocalCollection at(Place place) {
    return collections.get(place.collection());
  }

  private static boolean expires(Place place) {
    return place.collection() == 0;
  }

  private static Document document(int id, int value) {
    return Document.writer().put("_id", id).put("value", value).build();
  }

  private static Write write(int kind, Place place, int value) {
    Document document = document(place.id(), value);
    DocumentKey key = DocumentKey.of(Value.of(place.id()));
    return switch (kind) {
      case 0 -> new Write.Insert(document);
      case 1 -> new Write.Upsert(document);
      case UPDATE -> new Write.Update(key, _ -> document);
      case 3 -> new Write.Replace(document);
      default -> new Write.Delete(key);
    };
  }

  /** Returns why a write is rejected if a live document exists or not; null if it is accepted. */
  private static @Nullable Reason refusal(int kind, boolean there) {
    return switch (kind) {
      case 0 -> there ? Reason.DUPLICATE_ID : null;
      case 1 -> null;
      default -> there ? null : Reason.NOT_FOUND;
    };
  }

  /** The version of a live document, or -1. */
  private static long version(Map<Place, Doc> state, Place place, long now) {
    Doc doc = state.get(place);
    return doc != null && doc.live(expires(place), now) ? doc.version() : -1;
  }

  private boolean changed(Open one, Place place) {
    return version(one.snapshot, place, one.transaction.now())
        != version(committed, place, clock.now());
  }

  private boolean heldByAnother(@Nullable Open one, Place place) {
    return open.stream().anyMatch(other -> other != one && other.held.contains(place));
  }

  private Optional<Integer> seenBy(Open one, Place place) {
    Optional<Integer> own = one.written.get(place);
    if (own != null) {
      return own;
    }
    Doc doc = one.snapshot.get(place);
    return doc != null && doc.live(expires(place), one.transaction.now())
        ? Optional.of(doc.value())
        : Optional.empty();
  }

  /** Writes in a transaction; returns false after a conflict, which aborts it. */
  private boolean writeIn(Open one, Place place, Random random) {
    int kind = random.nextInt(5);
    int value = random.nextInt(1000);
    boolean conflict =
        heldByAnother(one, place) || (!one.held.contains(place) && changed(one, place));
    Reason told;
    try {
      WriteOutcome outcome =
          one.transaction
              .write(at(place), List.of(write(kind, place, value)))
              .outcomes()
              .getFirst();
      told =
          outcome instanceof WriteOutcome.Failed(EngineException failure) ? failure.reason() : null;
    } catch (EngineException refused) {
      told = refused.reason();
    }
    if (conflict) {
      assertThat(told).isEqualTo(Reason.WRITE_CONFLICT);
      end(one);
      one.transaction.abort();
      return false;
    }
    one.held.add(place);
    Optional<Integer> seen = seenBy(one, place);
    assertThat(told).isEqualTo(refusal(kind, seen.isPresent()));
    boolean same = kind == UPDATE && seen.equals(Optional.of(value));
    if (told == null && !same) {
      one.written.put(place, kind == 4 ? Optional.empty() : Optional.of(value));
    }
    return true;
  }

  /** A locked document can only expire meanwhile, which does not prevent the commit. */
  private void commit(Open one) {
    one.transaction.commit(Durability.LOGGED);
    end(one);
    one.written.forEach(
        (place, value) ->
            value.ifPresentOrElse(
                number -> committed.put(place, new Doc(number, ++versions, clock.now())),
                () -> committed.remove(place)));
  }

  private void end(Open one) {
    open.remove(one);
  }

  private void writeOutside(Place place, Random random) {
    int kind = random.nextInt(5);
    int value = random.nextInt(1000);
    Reason told = null;
    try {
      at(place).write(write(kind, place, value));
    } catch (EngineException refused) {
      told = refused.reason();
    }
    boolean there = version(committed, place, clock.now()) >= 0;
    Reason expected = heldByAnother(null, place) ? Reason.WRITE_CONFLICT : refusal(kind, there);
    assertThat(told).isEqualTo(expected);
    if (told == null && kind == 4) {
      committed.remove(place);
    } else if (told == null && !same(kind, committed.get(place), value)) {
      committed.put(place, new Doc(value, ++versions, clock.now()));
    }
  }

  /** An update without a change writes nothing. */
  private static boolean same(int kind, @Nullable Doc doc, int value) {
    return kind == UPDATE && doc != null && doc.value() == value;
  }

  private void check() {
    for (int c = 0; c < 2; c++) {
      for (Open one : open) {
        assertThat(found(one.transaction.query(collections.get(c), all())))
            .isEqualTo(expected(one, c));
        int id = c;
        assertThat(one.transaction.read(collections.get(c), DocumentKey.of(Value.of(id))))
            .satisfies(
                stored ->
                    assertThat(stored.map(found -> found.document().field("value").asInt()))
                        .isEqualTo(seenBy(one, new Place(id, id))));
      }
      Map<Integer, Integer> live = new TreeMap<>();
      for (int id = 0; id < KEYS; id++) {
        Doc doc = committed.get(new Place(c, id));
        if (doc != null && doc.live(c == 0, clock.now())) {
          live.put(id, doc.value());
        }
      }
      assertThat(found(collections.get(c).query(all()))).isEqualTo(live);
    }
  }

  private Map<Integer, Integer> expected(Open one, int collection) {
    Map<Integer, Integer> expected = new TreeMap<>();
    for (int id = 0; id < KEYS; id++) {
      int key = id;
      seenBy(one, new Place(collection, id)).ifPresent(value -> expected.put(key, value));
    }
    return expected;
  }

  private static Query all() {
    return Query.of(Filter.all(), Mode.MATCH);
  }

  private static Map<Integer, Integer> found(QueryCursor cursor) {
    Map<Integer, Integer> found = new TreeMap<>();
    try (cursor) {
      while (cursor.next()) {
        Document document = cursor.document();
        assertThat(found.put(document.field("_id").asInt(), document.field("value").asInt()))
            .isNull();
      }
    }
    return found;
  }
}

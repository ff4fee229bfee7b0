package dev.mayfly.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Documents that follow others against a brute force model: parents and children with rules of
 * their own, rule changes, deletes, ids that are used again, transactions, sweeps and restarts.
 */
@ExtendWith(SeedExtension.class)
final class FollowerModelTest {
  private static final int HISTORIES = 40;
  private static final int HISTORIES_ON_DISK = 4;
  private static final int STEPS = 150;
  private static final int PARENTS = 5;
  private static final int CHILDREN = 12;
  private static final long NEVER = Long.MAX_VALUE;
  private static final String FILES = "files";
  private static final Namespace PARENT_NAME = new Namespace("d", FILES);
  private static final Namespace CHILD_NAME = new Namespace("d", "chunks");

  /** A live document; its parent is -1 if it names none. */
  private record Doc(long writtenAt, long ttl, int parent, int unique) {}

  /**
   * What the feed must report about a dead document: when and how it died. If its own deadline has
   * come, too, before it was swept, the sweep of its own lane may report that.
   */
  private record Death(long deadline, boolean deleted, long own) {}

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final Map<Integer, Doc> parents = new TreeMap<>();
  private final Map<Integer, Doc> children = new TreeMap<>();
  private final Map<Integer, Death> deaths = new HashMap<>();
  private long parentTtl;
  private long childTtl;
  private boolean follows;
  private boolean deletes;
  private boolean sameRules;
  private int died;
  private LocalEngine engine;

  @ParameterizedTest
  @EnumSource(
      value = ModelStores.class,
      names = {"MEMORY_WITH_FILTERS", "MEMORY", "MEMORY_WITH_FILTERS_UNUSED", "ROCKS"})
  void followersBehaveLikeTheModel(ModelStores kind, Random random, @TempDir Path directory) {
    died = 0;
    int histories = kind.onDisk() ? HISTORIES_ON_DISK : HISTORIES;
    for (int i = 0; i < histories; i++) {
      history(kind, random, directory.resolve("history" + i));
    }
    assertThat(died).as("children that died with their parents").isGreaterThan(histories);
  }

  private void history(ModelStores kind, Random random, Path directory) {
    parents.clear();
    children.clear();
    deaths.clear();
    parentTtl = 20;
    childTtl = random.nextInt(3) == 0 ? 30 : -1;
    follows = true;
    deletes = random.nextBoolean();
    sameRules = true;
    Store store = kind.open(directory);
    engine = open(kind, store);
    try {
      engine.create(
          PARENT_NAME,
          CollectionSpec.mongo().withShards(1 + random.nextInt(2)).withDefaultTtl(parentTtl));
      engine.create(CHILD_NAME, childSpec(random));
      for (int i = 0; i < STEPS; i++) {
        if (random.nextInt(40) == 0) {
          engine.close();
          if (kind.onDisk()) {
            store.close();
            store = kind.open(directory);
          }
          engine = open(kind, store);
        }
        step(random);
        settle();
        check(random);
      }
      clock.advance(Duration.ofSeconds(random.nextInt(60)));
      settle();
      engine.workUntilIdle();
      check(random);
      checkFeed();
      Audit.check(engine, files());
      assertThat(chunks().check(false).examples()).isEmpty();
    } finally {
      engine.close();
      store.close();
    }
  }

  private LocalEngine open(ModelStores kind, Store store) {
    return LocalEngine.open(
        store,
        clock,
        EngineSettings.standard(clock::now)
            .withBackground(false)
            .withDropInCompaction(kind.dropInCompaction()));
  }

  private CollectionSpec childSpec(Random random) {
    Part parent =
        random.nextBoolean()
            ? Part.ascending(FieldPath.of("p"))
            : Part.descending(FieldPath.of("p"));
    CollectionSpec spec =
        CollectionSpec.mongo()
            .withDefaultTtl(childTtl)
            .withIndex(IndexSpec.implicit("p", parent, Part.ascending(FieldPath.of("tags"))))
            .withExpiresWith(FILES, "p", deletes);
    return random.nextBoolean()
        ? spec.withIndex(
            IndexSpec.implicit("u", Part.ascending(FieldPath.of("u"))).withUnique(true))
        : spec.withShards(1 + random.nextInt(2));
  }

  private boolean hasUnique() {
    return chunks().spec().indexes().stream().anyMatch(IndexSpec::unique);
  }

  private LocalCollection files() {
    return engine.collection(PARENT_NAME);
  }

  private LocalCollection chunks() {
    return engine.collection(CHILD_NAME);
  }

  private void step(Random random) {
    int what = random.nextInt(100);
    if (what < 22) {
      writeParent(random);
    } else if (what < 62) {
      writeChild(random);
    } else if (what < 80) {
      clock.advance(Duration.ofMillis(random.nextInt(12_000)));
    } else if (what < 88) {
      engine.work();
    } else if (what < 92) {
      engine.workUntilIdle();
    } else if (what < 95) {
      transaction(random);
    } else if (what < 97) {
      sameRules = false;
      parentTtl = 5L + random.nextInt(30);
      files().alter(spec -> spec.withDefaultTtl(parentTtl));
    } else if (what < 98) {
      childTtl = random.nextBoolean() ? -1 : 5L + random.nextInt(40);
      sameRules = false;
      chunks().alter(spec -> spec.withDefaultTtl(childTtl));
    } else {
      relate(random);
    }
  }

  /** Turns the relation off or on, or lets it follow deletes or not. */
  private void relate(Random random) {
    if (!follows) {
      // an expired parent that is not swept would expire its children again
      engine.workUntilIdle();
      deletes = random.nextBoolean();
    }
    follows = !follows;
    chunks()
        .alter(
            spec ->
                follows
                    ? spec.withExpiresWith(FILES, "p", deletes)
                    : spec.withExpiresWith(Optional.empty()));
  }

  private long deadline(Doc doc, long defaultTtl) {
    long ttl = doc.ttl() != 0 ? doc.ttl() : defaultTtl;
    return ttl < 0 ? NEVER : doc.writtenAt() / 1000 * 1000 + ttl * 1000;
  }

  /** Removes what is dead now. */
  private void settle() {
    long now = clock.now();
    Map<Integer, Long> expired = new HashMap<>();
    parents.forEach((id, doc) -> expired.put(id, deadline(doc, parentTtl)));
    expired.values().removeIf(deadline -> deadline > now);
    parents.keySet().removeAll(expired.keySet());
    for (Map.Entry<Integer, Doc> child : Map.copyOf(children).entrySet()) {
      long own = deadline(child.getValue(), childTtl);
      long with = follows ? expired.getOrDefault(child.getValue().parent(), NEVER) : NEVER;
      if (Math.min(own, with) <= now) {
        children.remove(child.getKey());
        deaths.put(child.getKey(), new Death(Math.min(own, with), false, own));
        died += with < own ? 1 : 0;
      }
    }
  }

  private static Document parent(int id, long ttl) {
    var writer = Document.writer().put("_id", id);
    return ttl == 0 ? writer.build() : writer.put("ttl", ttl).build();
  }

  private static Document child(int id, Doc doc, boolean array) {
    var writer = Document.writer().put("_id", id).put("u", doc.unique());
    if (doc.parent() >= 0) {
      writer.put("p", doc.parent());
    } else if (array) {
      writer.put("p", Value.array(List.of(Value.of(1))));
    }
    if (id % 3 == 0 && doc.parent() >= 0) {
      writer.put("tags", Value.array(List.of(Value.of(1), Value.of(2))));
    }
    return doc.ttl() == 0 ? writer.build() : writer.put("ttl", doc.ttl()).build();
  }

  private void writeParent(Random random) {
    int id = random.nextInt(PARENTS);
    long ttl = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 0;
    boolean there = parents.containsKey(id);
    switch (random.nextInt(4)) {
      case 0 -> {
        Reason refusal = attempt(files(), new Write.Delete(DocumentKey.of(Value.of(id))));
        assertThat(refusal).isEqualTo(there ? null : Reason.NOT_FOUND);
        parents.remove(id);
        if (there && follows && deletes) {
          deleteChildren(id);
        }
      }
      case 1 -> {
        assertThat(attempt(files(), new Write.Upsert(parent(id, ttl)))).isNull();
        parents.put(id, new Doc(clock.now(), ttl, -1, 0));
      }
      default -> {
        Reason refusal = attempt(files(), new Write.Insert(parent(id, ttl)));
        assertThat(refusal).isEqualTo(there ? Reason.DUPLICATE_ID : null);
        if (!there) {
          parents.put(id, new Doc(clock.now(), ttl, -1, 0));
        }
      }
    }
  }

  private void deleteChildren(int parent) {
    for (Map.Entry<Integer, Doc> child : Map.copyOf(children).entrySet()) {
      if (child.getValue().parent() == parent) {
        children.remove(child.getKey());
        deaths.put(
            child.getKey(), new Death(clock.now(), true, deadline(child.getValue(), childTtl)));
      }
    }
  }

  private Doc drawChild(Random random) {
    long ttl = random.nextInt(4) == 0 ? 1 + random.nextInt(60) : 0;
    int parent = random.nextInt(PARENTS + 1) - 1;
    return new Doc(clock.now(), ttl, parent, random.nextInt(3 * CHILDREN));
  }

  private void writeChild(Random random) {
    int id = random.nextInt(CHILDREN);
    Doc doc = drawChild(random);
    boolean array = random.nextBoolean();
    boolean there = children.containsKey(id);
    boolean taken =
        hasUnique()
            && children.entrySet().stream()
                .anyMatch(one -> one.getKey() != id && one.getValue().unique() == doc.unique());
    Reason duplicate = taken ? Reason.DUPLICATE_KEY : null;
    switch (random.nextInt(5)) {
      case 0 -> {
        Reason refusal = attempt(chunks(), new Write.Delete(DocumentKey.of(Value.of(id))));
        assertThat(refusal).isEqualTo(there ? null : Reason.NOT_FOUND);
        children.remove(id);
      }
      case 1 -> {
        Reason refusal = attempt(chunks(), new Write.Upsert(child(id, doc, array)));
        assertThat(refusal).isEqualTo(duplicate);
        put(refusal, id, doc);
      }
      case 2 -> {
        Reason refusal = attempt(chunks(), new Write.Replace(child(id, doc, array)));
        assertThat(refusal).isEqualTo(there ? duplicate : Reason.NOT_FOUND);
        put(refusal, id, doc);
      }
      default -> {
        Reason refusal = attempt(chunks(), new Write.Insert(child(id, doc, array)));
        assertThat(refusal).isEqualTo(there ? Reason.DUPLICATE_ID : duplicate);
        put(refusal, id, doc);
      }
    }
  }

  private void put(@Nullable Reason refusal, int id, Doc doc) {
    if (refusal == null) {
      children.put(id, doc);
      deaths.remove(id);
    }
  }

  private static @Nullable Reason attempt(LocalCollection collection, Write write) {
    try {
      collection.write(write);
      return null;
    } catch (EngineException refused) {
      return refused.reason();
    }
  }

  /** Writes a parent and children of it together. */
  private void transaction(Random random) {
    int id = random.nextInt(PARENTS);
    try (Transaction transaction = engine.begin()) {
      WriteOutcome parent =
          transaction
              .write(files(), List.of(new Write.Upsert(parent(id, 0))))
              .outcomes()
              .getFirst();
      assertThat(parent).isNotInstanceOf(WriteOutcome.Failed.class);
      Map<Integer, Doc> added = new HashMap<>();
      for (int i = 0; i < 3; i++) {
        int child = random.nextInt(CHILDREN);
        Doc doc = new Doc(clock.now(), 0, id, 1000 + child);
        WriteOutcome outcome =
            transaction
                .write(chunks(), List.of(new Write.Upsert(child(child, doc, false))))
                .outcomes()
                .getFirst();
        assertThat(outcome).isNotInstanceOf(WriteOutcome.Failed.class);
        added.put(child, doc);
      }
      Set<Integer> expected = new TreeSet<>(children.keySet());
      expected.addAll(added.keySet());
      assertThat(ids(transaction.query(chunks(), all()))).isEqualTo(expected);
      if (random.nextBoolean()) {
        transaction.commit(Durability.LOGGED);
        parents.put(id, new Doc(clock.now(), 0, -1, 0));
        added.forEach((key, doc) -> put(null, key, doc));
      }
    }
  }

  private static Query all() {
    return Query.of(Filter.all(), Mode.MATCH);
  }

  private static Set<Integer> ids(dev.mayfly.engine.Cursor cursor) {
    Set<Integer> found = new TreeSet<>();
    try (cursor) {
      while (cursor.next()) {
        assertThat(found.add(cursor.document().field("_id").asInt())).isTrue();
      }
    }
    return found;
  }

  private void check(Random random) {
    assertThat(ids(files().query(all()))).isEqualTo(parents.keySet());
    assertThat(ids(chunks().query(all()))).isEqualTo(children.keySet());
    assertThat(chunks().usage().documents()).as("usage").isEqualTo(children.size());
    assertThat(files().usage().documents()).isEqualTo(parents.size());
    int parent = random.nextInt(PARENTS);
    Set<Integer> with = new TreeSet<>();
    children.forEach((id, doc) -> with.addAll(doc.parent() == parent ? Set.of(id) : Set.of()));
    Filter filter = Filter.equal(FieldPath.of("p"), Value.of(parent));
    Query query = Query.of(filter, Mode.MATCH);
    Set<Integer> found = new HashSet<>(ids(chunks().query(query)));
    // an array that contains the id matches, but names no parent
    found.removeIf(id -> children.containsKey(id) && children.get(id).parent() < 0);
    assertThat(found).isEqualTo(with);
    int id = random.nextInt(CHILDREN);
    assertThat(chunks().read(DocumentKey.of(Value.of(id))).isPresent())
        .isEqualTo(children.containsKey(id));
    long until = clock.now() + random.nextInt(40_000);
    assertThat(chunks().expiry().forecast(until).total().documents())
        .as(
            "forecast %s of %s with %s until %d",
            chunks().expiry().forecast(until).byRule(), children, parents, until)
        .isEqualTo(children.values().stream().filter(doc -> death(doc) <= until).count());
  }

  private long death(Doc doc) {
    Doc parent = parents.get(doc.parent());
    long with = follows && parent != null ? deadline(parent, parentTtl) : NEVER;
    return Math.min(deadline(doc, childTtl), with);
  }

  /** The feed has each change of each child once, with the exact deadlines of their parents. */
  private void checkFeed() {
    Map<Integer, Change> last = new HashMap<>();
    for (FeedReader feed : chunks().feeds()) {
      long position = 0;
      List<Change> changes = feed.read(position, 100);
      while (!changes.isEmpty()) {
        for (Change change : changes) {
          Change before = last.put(change.key().id().asInt(), change);
          boolean wasThere =
              before != null
                  && before.kind() != Change.Kind.DELETE
                  && before.kind() != Change.Kind.EXPIRE;
          assertThat(change.kind() == Change.Kind.INSERT).isNotEqualTo(wasThere);
          position = change.position();
        }
        changes = feed.read(position, 100);
      }
    }
    last.forEach(
        (id, change) -> {
          boolean ended =
              change.kind() == Change.Kind.DELETE || change.kind() == Change.Kind.EXPIRE;
          assertThat(ended)
              .as("child %d, last change %s", id, change)
              .isNotEqualTo(children.containsKey(id));
          Death death = deaths.get(id);
          if (ended && death != null && sameRules) {
            boolean deleted = change.cause() == Change.Cause.PARENT;
            boolean byItself = !deleted && change.deadline() == death.own();
            assertThat(byItself || deleted == death.deleted()).as("with its parent").isTrue();
            assertThat(byItself || deleted || change.deadline() == death.deadline())
                .as("%s of %s", change, death)
                .isTrue();
          }
        });
  }
}

package dev.mayfly.engine.index;

import static dev.mayfly.query.testing.Docs.doc;
import static dev.mayfly.query.testing.Docs.path;
import static dev.mayfly.query.testing.Docs.val;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.index.IndexMatch.Direction;
import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Sort;
import dev.mayfly.query.testing.RandomQueries;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class IndexMatchTest {
  private static final int ROUNDS = 10_000;
  private static final IndexSpec AB =
      IndexSpec.implicit("ab", Part.ascending(path("a")), Part.ascending(path("b")));
  private static final IndexSpec A = IndexSpec.implicit("a", Part.ascending(path("a")));

  /** A simulated index: keys with their documents, in key order. */
  private record Contents(IndexSpec spec, List<Entry> entries, List<Document> all, long multikey) {}

  private static final class Entry {
    private final byte[] key;
    private final Document document;

    Entry(byte[] key, Document document) {
      this.key = key;
      this.document = document;
    }

    byte[] key() {
      return key;
    }

    Document document() {
      return document;
    }
  }

  @Test
  void boundsContainAllMatchesAndOrdersAreCorrect(Random random) {
    check(random, RandomQueries.bson(random));
  }

  @Test
  void conditionsOnOneArrayMayMatchDifferentElements(Random random) {
    check(random, RandomQueries.crowded(random));
  }

  private static void check(Random random, RandomQueries queries) {
    int exact = 0;
    int ordered = 0;
    int narrowed = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Contents contents = contents(spec(random, queries), queries);
      Filter filter = filter(random, queries, contents.spec());
      List<Sort> order = order(random, queries, contents.spec());
      Optional<IndexMatch> match =
          IndexMatch.of(contents.spec(), filter, order, contents.multikey());
      if (match.isPresent()) {
        checkBounds(contents, filter, match.get());
        checkOrder(contents, filter, order, match.get());
        exact += match.get().bounds().exact() ? 1 : 0;
        narrowed += match.get().bounds().parts() > 0 ? 1 : 0;
        ordered += match.get().direction() != Direction.UNORDERED && !order.isEmpty() ? 1 : 0;
      }
    }
    assertThat(exact).isGreaterThan(ROUNDS / 50);
    assertThat(narrowed).isGreaterThan(ROUNDS / 10);
    assertThat(ordered).isGreaterThan(ROUNDS / 50);
  }

  private static void checkBounds(Contents contents, Filter filter, IndexMatch match) {
    Matcher matcher = filter.matcher(contents.spec().traversal().mode());
    Set<Document> found = Collections.newSetFromMap(new IdentityHashMap<>());
    scan(contents, match).forEach(entry -> found.add(entry.document()));
    for (Document document : contents.all()) {
      if (matcher.matches(document)) {
        assertThat(found.contains(document))
            .as("%s by %s in %s misses %s", filter, contents.spec(), match, document)
            .isTrue();
      }
    }
    if (match.bounds().exact()) {
      assertThat(found)
          .as("%s by %s in %s", filter, contents.spec(), match)
          .allMatch(matcher::matches);
    }
  }

  private static void checkOrder(
      Contents contents, Filter filter, List<Sort> order, IndexMatch match) {
    if (match.direction() == Direction.UNORDERED) {
      return;
    }
    Mode mode = contents.spec().traversal().mode();
    Matcher matcher = filter.matcher(mode);
    List<Entry> scanned = new ArrayList<>(scan(contents, match));
    if (match.direction() == Direction.BACKWARD) {
      Collections.reverse(scanned);
    }
    Set<Document> documents = new LinkedHashSet<>();
    scanned.stream().map(Entry::document).filter(matcher::matches).forEach(documents::add);
    assertThat(new ArrayList<>(documents))
        .as("%s ordered %s by %s in %s", filter, order, contents.spec(), match)
        .isSortedAccordingTo(comparator(order, mode));
  }

  private static Comparator<Document> comparator(List<Sort> order, Mode mode) {
    return order.isEmpty() ? (_, _) -> 0 : new DocumentComparator(order, mode);
  }

  private static List<Entry> scan(Contents contents, IndexMatch match) {
    List<KeyRange> ranges = match.bounds().ranges();
    for (int i = 1; i < ranges.size(); i++) {
      assertThat(Arrays.compareUnsigned(ranges.get(i - 1).to(), ranges.get(i).from()))
          .isNotPositive();
    }
    return contents.entries().stream()
        .filter(entry -> ranges.stream().anyMatch(range -> range.contains(entry.key())))
        .toList();
  }

  private static Contents contents(IndexSpec spec, RandomQueries queries) {
    IndexKeys keys = new IndexKeys(spec);
    List<Entry> entries = new ArrayList<>();
    List<Document> all = new ArrayList<>();
    long multikey = 0;
    for (int i = 0; i < 12; i++) {
      Document document = queries.document();
      try {
        multikey |=
            keys.extract(
                document,
                (key, length) -> entries.add(new Entry(Arrays.copyOf(key, length), document)));
        all.add(document);
      } catch (IndexException unfit) {
        assertThat(unfit.reason()).isNotEqualTo(IndexException.Reason.BAD_SPEC);
      }
    }
    entries.sort((one, other) -> Arrays.compareUnsigned(one.key(), other.key()));
    return new Contents(spec, entries, all, multikey);
  }

  private static IndexSpec spec(Random random, RandomQueries queries) {
    boolean implicit = random.nextBoolean();
    boolean wildcard = random.nextInt(4) == 0;
    Part[] parts = parts(random, queries, wildcard);
    IndexSpec spec = implicit ? IndexSpec.implicit("i", parts) : IndexSpec.explicit("i", parts);
    return switch (random.nextInt(6)) {
      case 0 -> spec.withSparse(true);
      case 1 -> wildcard ? spec : spec.withUnique(true);
      case 2 -> spec.withPartial(queries.leaf(queries.path()));
      case 3 -> wildcard ? spec.withScopes(scopes(queries)) : spec;
      case 4 -> spec.withOrder(random.nextBoolean() ? Order.MONGO : Order.COSMOS);
      default -> spec;
    };
  }

  private static Part[] parts(Random random, RandomQueries queries, boolean wildcard) {
    Set<FieldPath> paths = new LinkedHashSet<>();
    IntStream.range(0, 1 + random.nextInt(4)).forEach(_ -> paths.add(queries.path()));
    List<Part> parts = new ArrayList<>();
    for (FieldPath path : paths) {
      parts.add(new Part(path, random.nextBoolean(), new ValueKind()));
    }
    if (wildcard) {
      FieldPath below = random.nextBoolean() ? path("") : path("a");
      parts.removeIf(part -> part.path().equals(below) || random.nextBoolean());
      parts.add(
          random.nextInt(parts.size() + 1),
          new Part(below, random.nextBoolean(), new WildcardKind()));
    }
    return parts.toArray(Part[]::new);
  }

  private static Scope[] scopes(RandomQueries queries) {
    return new Scope[] {
      Scope.exclude(queries.path()), Scope.includeLeaf(queries.path()), Scope.include(path("a"))
    };
  }

  /** A random filter, more often than not with conditions on the parts of the index. */
  private static Filter filter(Random random, RandomQueries queries, IndexSpec spec) {
    List<Filter> members = new ArrayList<>();
    for (Part part : spec.parts()) {
      for (int i = random.nextInt(3); i > 0; i--) {
        members.add(queries.leaf(part.path().length() == 0 ? queries.path() : part.path()));
      }
    }
    if (random.nextInt(3) == 0) {
      members.add(queries.filter(2));
    }
    if (random.nextInt(3) == 0) {
      members.add(spec.partial());
    }
    return new Filter.And(members);
  }

  /** A random order, more often than not along the parts of the index. */
  private static List<Sort> order(Random random, RandomQueries queries, IndexSpec spec) {
    List<Sort> order = new ArrayList<>();
    boolean backward = random.nextBoolean();
    for (Part part : spec.parts()) {
      if (random.nextInt(4) > 0) {
        FieldPath path = part.path().length() == 0 ? queries.path() : part.path();
        boolean descending = random.nextInt(6) == 0 || part.descending() != backward;
        order.add(new Sort(path, descending));
      }
    }
    return order;
  }

  @Test
  void equalitiesAndARangeBoundACompoundIndexExactly() {
    Filter filter = and(eq("a", 1), compare("b", Operator.GT, 5));
    IndexMatch match = match(AB, filter);
    assertThat(match.bounds().parts()).isEqualTo(2);
    assertThat(match.bounds().ranges()).hasSize(1);
    assertThat(match.bounds().exact()).isTrue();
  }

  @Test
  void partsAfterARangeAreNotBounded() {
    Filter filter = and(compare("a", Operator.GT, 5), eq("b", 1));
    Bounds bounds = match(AB, filter).bounds();
    assertThat(bounds.parts()).isEqualTo(1);
    assertThat(bounds.exact()).isFalse();
  }

  @Test
  void combinationsOfPointsAreLimited() {
    assertThat(match(AB, and(in("a", 10), in("b", 20))).bounds().ranges()).hasSize(200);
    Bounds joined = match(AB, and(in("a", 10), in("b", 21))).bounds();
    assertThat(joined.ranges()).hasSize(10);
    assertThat(joined.exact()).isFalse();
    assertThat(match(A, in("a", 500)).bounds().ranges()).hasSize(1);
  }

  @Test
  void twoPartsThroughOneArrayAreNotBothBounded() {
    IndexSpec spec =
        IndexSpec.implicit("i", Part.ascending(path("a.b")), Part.ascending(path("a.c")));
    Filter filter = and(eq("a.b", 1), eq("a.c", 2));
    assertThat(of(spec, filter, 0b11).orElseThrow().bounds().parts()).isEqualTo(1);
    assertThat(of(spec, filter, 0b01).orElseThrow().bounds().parts()).isEqualTo(2);
    assertThat(of(AB, and(eq("a", 1), eq("b", 1)), 0b11).orElseThrow().bounds().parts())
        .isEqualTo(2);
  }

  @Test
  void partialIndexNeedsAFilterThatImpliesIts() {
    IndexSpec spec = A.withPartial(compare("p", Operator.GT, 10));
    assertThat(of(spec, eq("a", 1), 0)).isEmpty();
    assertThat(of(spec, and(eq("a", 1), compare("p", Operator.GT, 5)), 0)).isEmpty();
    for (Filter enough :
        List.of(compare("p", Operator.GT, 10), compare("p", Operator.GTE, 11), eq("p", 11.5))) {
      assertThat(of(spec, and(eq("a", 1), enough), 0)).isPresent();
    }
    Filter either = new Filter.Or(List.of(eq("p", 11), eq("p", 12)));
    assertThat(of(spec, either, 0)).isPresent();
    assertThat(match(spec, compare("p", Operator.GT, 10)).bounds().exact()).isTrue();
  }

  @Test
  void sparseIndexNeedsAFilterThatExcludesMissing() {
    IndexSpec spec = A.withSparse(true);
    assertThat(of(spec, Filter.all(), 0)).isEmpty();
    assertThat(of(spec, eq("a", Value.NULL), 0)).isEmpty();
    assertThat(of(spec, compare("a", Operator.NE, 1), 0)).isEmpty();
    assertThat(of(spec, eq("a", 1), 0)).isPresent();
    assertThat(of(spec, new Filter.Exists(path("a"), true), 0)).isPresent();
  }

  @Test
  void hiddenIndexIsNotUsed() {
    assertThat(of(A.withHidden(true), eq("a", 1), 0)).isEmpty();
  }

  @Test
  void indexGivesOrderInBothDirectionsAfterEqualities() {
    IndexSpec mixed =
        IndexSpec.implicit(
            "i", Part.ascending(path("t")), Part.ascending(path("a")), Part.descending(path("b")));
    Sort aUp = Sort.ascending(path("a"));
    Sort aDown = Sort.descending(path("a"));
    Sort bUp = Sort.ascending(path("b"));
    Sort bDown = Sort.descending(path("b"));
    Filter equal = eq("t", 1);
    assertThat(direction(mixed, equal, 0, aUp, bDown)).isEqualTo(Direction.FORWARD);
    assertThat(direction(mixed, equal, 0, aDown, bUp)).isEqualTo(Direction.BACKWARD);
    assertThat(direction(mixed, equal, 0, aUp, bUp)).isEqualTo(Direction.UNORDERED);
    assertThat(direction(mixed, equal, 0, bDown)).isEqualTo(Direction.UNORDERED);
    assertThat(direction(mixed, Filter.all(), 0, aUp)).isEqualTo(Direction.UNORDERED);
    assertThat(direction(mixed, equal, 0b010, aUp)).isEqualTo(Direction.UNORDERED);
    assertThat(direction(A, Filter.all(), 0, aDown)).isEqualTo(Direction.BACKWARD);
  }

  @Test
  void equalityAfterARangeIsConstantOnlyWithoutArrays() {
    IndexSpec spec =
        IndexSpec.implicit(
            "i", Part.ascending(path("a")), Part.ascending(path("t")), Part.ascending(path("b")));
    Sort a = Sort.ascending(path("a"));
    Sort b = Sort.ascending(path("b"));
    assertThat(direction(spec, eq("t", 1), 0, a, b)).isEqualTo(Direction.FORWARD);
    assertThat(direction(spec, eq("t", 1), 0b010, a, b)).isEqualTo(Direction.UNORDERED);
    assertThat(direction(spec, and(eq("a", 1), eq("t", 1)), 0b010, a, b))
        .isEqualTo(Direction.FORWARD);
  }

  @Test
  void wildcardIsUsedForItsPaths() {
    IndexSpec spec =
        IndexSpec.explicit("w", Part.wildcard(path("")))
            .withScopes(Scope.exclude(path("secret")), Scope.includeLeaf(path("named")));
    assertThat(match(spec, eq("x.y", 1)).bounds().exact()).isTrue();
    assertThat(of(spec, eq("secret.y", 1), 0)).isEmpty();
    assertThat(of(spec, eq("x.0", 1), 0)).isEmpty();
    assertThat(of(spec, new Filter.Exists(path("x"), false), 0)).isEmpty();
    assertThat(of(spec, new Filter.Exists(path("named"), false), 0)).isPresent();
    Filter defined = new Filter.Exists(path("x"), true);
    assertThat(direction(spec, defined, 0, Sort.ascending(path("x")))).isEqualTo(Direction.FORWARD);
  }

  @Test
  void implicitWildcardIsNotUsedForMissingOrObjects() {
    IndexSpec spec = IndexSpec.implicit("w", Part.wildcard(path("")));
    assertThat(of(spec, eq("a", 1), 0)).isPresent();
    assertThat(of(spec, eq("a", Value.NULL), 0)).isEmpty();
    assertThat(of(spec, eq("a", doc("b", 1)), 0)).isEmpty();
    assertThat(of(spec, new Filter.Not(eq("a", 1)), 0)).isEmpty();
    assertThat(of(spec, new Filter.ElementMatch(path("a"), eq("b", 1)), 0)).isPresent();
  }

  @Test
  void orderNeedsAnIndexWithTheSameCollation() {
    Collation caseless =
        Collation.of(Document.writer().put("locale", "en").put("strength", 2).build());
    Sort plain = Sort.ascending(path("a"));
    IndexSpec folded = A.withCollation(caseless);
    assertThat(direction(folded, Filter.all(), 0, plain.collated(caseless)))
        .isEqualTo(Direction.FORWARD);
    assertThat(direction(folded, Filter.all(), 0, plain)).isEqualTo(Direction.UNORDERED);
    assertThat(direction(A, Filter.all(), 0, plain.collated(caseless)))
        .isEqualTo(Direction.UNORDERED);
  }

  private static IndexMatch match(IndexSpec spec, Filter filter) {
    return of(spec, filter, 0).orElseThrow();
  }

  private static Optional<IndexMatch> of(IndexSpec spec, Filter filter, long multikey) {
    return IndexMatch.of(spec, filter, List.of(), multikey);
  }

  private static Direction direction(IndexSpec spec, Filter filter, long multikey, Sort... order) {
    return IndexMatch.of(spec, filter, List.of(order), multikey).orElseThrow().direction();
  }

  private static Filter and(Filter... members) {
    return new Filter.And(List.of(members));
  }

  private static Filter eq(String path, Object value) {
    return compare(path, Operator.EQ, value);
  }

  private static Filter compare(String path, Operator operator, Object value) {
    return new Filter.Compare(path(path), operator, val(value));
  }

  private static Filter in(String path, int count) {
    return new Filter.In(path(path), IntStream.range(0, count).mapToObj(Value::of).toList());
  }
}

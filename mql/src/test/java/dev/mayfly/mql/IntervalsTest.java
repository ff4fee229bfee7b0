package dev.mayfly.mql;

import static dev.mayfly.query.testing.Docs.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mql.expression.Comparison;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.Logic;
import dev.mayfly.mql.expression.RootPath;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.mql.function.IndexablePredicates;
import dev.mayfly.mql.function.Membership;
import dev.mayfly.query.DocumentPredicate;
import dev.mayfly.query.Expansion;
import dev.mayfly.query.Filter;
import dev.mayfly.query.IndexablePredicate;
import dev.mayfly.query.Interval;
import dev.mayfly.query.Intervals;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.testing.RandomQueries;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class IntervalsTest {
  private static final int ROUNDS = 150_000;
  private static final FieldPath A = FieldPath.of("a");

  @Test
  void whatPassesAMatchHasAnEntryInsideAndExactOnesHoldNothingElse(Random random) {
    checkMatch(random, RandomQueries.bson(random));
  }

  @Test
  void conditionsThatMeetInOneArrayNeedNotMeetInOneEntry(Random random) {
    checkMatch(random, RandomQueries.crowded(random));
  }

  private static void checkMatch(Random random, RandomQueries queries) {
    int exact = 0;
    for (int i = 0; i < ROUNDS; i++) {
      FieldPath path = queries.path();
      Filter filter = random.nextBoolean() ? queries.leaf(path) : on(path, queries.filter(3));
      Order order = random.nextBoolean() ? Order.MONGO : Order.COSMOS;
      Document document = queries.document();
      Optional<Entries> entries = entries(path, document, order);
      if (entries.isPresent()) {
        boolean multikey = entries.get().multikey() || random.nextBoolean();
        exact += check(filter, path, Mode.MATCH, order, multikey, document, entries.get());
      }
    }
    assertThat(exact).isGreaterThan(ROUNDS / 10);
  }

  @Test
  void whatIsTrueInSqlLiesInsideAndExactOnesHoldNothingElse(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    int exact = 0;
    for (int i = 0; i < ROUNDS; i++) {
      FieldPath path = queries.path();
      Filter filter = random.nextBoolean() ? queries.leaf(path) : on(path, queries.filter(3));
      Order order = random.nextBoolean() ? Order.MONGO : Order.COSMOS;
      Document document = queries.document();
      Entries entries = new Entries(List.of(key(document.at(path), order)), false);
      exact += check(filter, path, Mode.SQL, order, false, document, entries);
    }
    assertThat(exact).isGreaterThan(ROUNDS / 10);
  }

  @Test
  void whatIsComputedToBeTrueHasItsEntryInside(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    int narrowed = 0;
    for (int i = 0; i < ROUNDS; i++) {
      FieldPath path = queries.path();
      Filter filter = computed(comparisons(random, path, queries));
      Document document = queries.document();
      Optional<Entries> entries = entries(path, document, Order.MONGO);
      if (entries.isPresent()) {
        boolean multikey = entries.get().multikey();
        check(filter, path, Mode.MATCH, Order.MONGO, multikey, document, entries.get());
        narrowed += Intervals.of(filter, path, Mode.MATCH, Order.MONGO, multikey).isAll() ? 0 : 1;
      }
    }
    assertThat(narrowed).isGreaterThan(ROUNDS / 10);
  }

  private static Expression comparisons(Random random, FieldPath path, RandomQueries queries) {
    Expression at = new RootPath(path);
    Expression one = new Literal(queries.value(1));
    Expression other = new Literal(queries.value(1));
    List<Operator> operators = List.of(Operator.values());
    Operator operator = operators.get(random.nextInt(operators.size()));
    Expression first = new Comparison(operator, at, one, Order.MONGO);
    return switch (random.nextInt(4)) {
      case 0 -> first;
      case 1 -> new Comparison(operator, one, at, Order.MONGO);
      case 2 -> new Logic.And(List.of(first, new Comparison(Operator.LTE, at, other, Order.MONGO)));
      default ->
          new Membership(
              "$in",
              at,
              new Literal(Value.array(List.of(queries.value(0), queries.value(0)))),
              Order.MONGO);
    };
  }

  private static Filter computed(Expression expression) {
    return new Filter.Expr(
        new DocumentPredicate() {
          @Override
          public Predicate<Document> predicate() {
            Scope scope = Scope.of(0);
            return document -> Truthiness.truthy(expression.evaluate(scope.root(document)));
          }

          @Override
          public List<IndexablePredicate> demands() {
            return IndexablePredicates.of(expression, Scope.of(0));
          }
        });
  }

  @Test
  void aComputedConditionTellsNothingOfArraysNorOfOtherPaths() {
    Filter filter =
        computed(
            new Comparison(Operator.GT, new RootPath(A), new Literal(Value.of(5)), Order.MONGO));
    Intervals one = Intervals.of(filter, A, Mode.MATCH, Order.MONGO, false);
    assertThat(one.contains(key(Value.of(5), Order.MONGO))).isFalse();
    assertThat(one.contains(key(Value.of("a"), Order.MONGO))).isTrue();
    assertThat(one.contains(key(Value.MISSING, Order.MONGO))).isFalse();
    assertThat(one.exact()).isFalse();
    assertThat(Intervals.of(filter, A, Mode.MATCH, Order.MONGO, true).isAll()).isTrue();
    assertThat(Intervals.of(filter, path("b"), Mode.MATCH, Order.MONGO, false).isAll()).isTrue();
  }

  /** Moves half of the leaves of a random filter to the path, so that it constrains the path. */
  private static Filter on(FieldPath path, Filter filter) {
    return switch (filter) {
      case Filter.And(List<Filter> members) ->
          new Filter.And(members.stream().map(member -> on(path, member)).toList());
      case Filter.Or(List<Filter> members) ->
          new Filter.Or(members.stream().map(member -> on(path, member)).toList());
      case Filter.Not(Filter member) -> new Filter.Not(on(path, member));
      case Filter.Compare(_, Operator operator, Value value) ->
          new Filter.Compare(path, operator, value);
      case Filter.ElementMatch(_, Filter member) -> new Filter.ElementMatch(path, member);
      case Filter other -> other;
    };
  }

  private static int check(
      Filter filter,
      FieldPath path,
      Mode mode,
      Order order,
      boolean multikey,
      Document document,
      Entries entries) {
    Intervals intervals = Intervals.of(filter, path, mode, order, multikey);
    boolean inside = entries.keys().stream().anyMatch(intervals::contains);
    boolean passes = filter.matcher(mode).matches(document);
    if (passes) {
      assertThat(inside).as("%s %s of %s in %s", path, filter, document, intervals).isTrue();
    }
    if (intervals.exact()) {
      assertThat(passes)
          .as("%s %s of %s in %s", path, filter, document, intervals)
          .isEqualTo(inside);
    }
    return intervals.exact() ? 1 : 0;
  }

  private record Entries(List<byte[]> keys, boolean multikey) {}

  private static Optional<Entries> entries(FieldPath path, Document document, Order order) {
    List<byte[]> keys = new ArrayList<>();
    Expansion expansion = new Expansion(List.of(path));
    try {
      long arrays = expansion.expand(document, tuple -> keys.add(key(tuple.value(0), order)));
      return Optional.of(new Entries(keys, arrays != 0));
    } catch (QueryException unfit) {
      assertThat(unfit.reason()).isEqualTo(QueryException.Reason.AMBIGUOUS_FIELD_NAME);
      return Optional.empty();
    }
  }

  private static byte[] key(Value value, Order order) {
    return new KeyWriter().append(value, order).bytes();
  }

  @Test
  void setsObeyTheLawsOfSets(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    for (int i = 0; i < 20_000; i++) {
      Intervals one = Intervals.of(queries.leaf(A), A, Mode.SQL, Order.COSMOS, false);
      Intervals other = Intervals.of(queries.leaf(A), A, Mode.SQL, Order.COSMOS, false);
      byte[] key = key(queries.value(2), Order.COSMOS);
      boolean in = one.contains(key);
      boolean inOther = other.contains(key);
      assertThat(one.union(other).contains(key)).isEqualTo(in || inOther);
      assertThat(one.intersect(other).contains(key)).isEqualTo(in && inOther);
      assertThat(one.complement().contains(key)).isEqualTo(!in);
      assertThat(one.complement().complement().contains(key)).isEqualTo(in);
      assertThat(one.covers(other)).isEqualTo(other.intersect(one.complement()).isEmpty());
      assertThat(!one.covers(other) || !inOther || in).isTrue();
    }
  }

  @Test
  void anInvertedIntervalHoldsTheInvertedKeys(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    for (int i = 0; i < 20_000; i++) {
      Intervals intervals = Intervals.of(queries.leaf(A), A, Mode.SQL, Order.MONGO, false);
      Value value = queries.value(2);
      byte[] ascending = key(value, Order.MONGO);
      byte[] descending = new KeyWriter().appendDescending(value, Order.MONGO).bytes();
      byte[] followed = Arrays.copyOf(descending, descending.length + 1);
      followed[descending.length] = (byte) random.nextInt(256);
      for (Interval interval : intervals.members()) {
        assertThat(interval.inverted().contains(descending))
            .isEqualTo(interval.contains(ascending));
        assertThat(interval.inverted().contains(followed)).isEqualTo(interval.contains(ascending));
      }
    }
  }

  @Test
  void twoConditionsMeetOnlyWhereThereIsOneValue() {
    Filter between =
        new Filter.And(
            List.of(
                new Filter.Compare(A, Operator.GT, Value.of(1)),
                new Filter.Compare(A, Operator.LT, Value.of(5))));
    byte[] far = key(Value.of(9), Order.MONGO);
    byte[] near = key(Value.of(3), Order.MONGO);
    Intervals single = Intervals.of(between, A, Mode.MATCH, Order.MONGO, false);
    Intervals several = Intervals.of(between, A, Mode.MATCH, Order.MONGO, true);
    assertThat(single.contains(far)).isFalse();
    assertThat(single.contains(near)).isTrue();
    assertThat(single.exact()).isTrue();
    assertThat(several.members()).hasSize(1);
    assertThat(several.exact()).isFalse();
  }

  @Test
  void nullCoversMissingAndEmptyArraysAndIsExactWithoutArrays() {
    Filter isNull = Filter.equal(A, Value.NULL);
    Intervals several = Intervals.of(isNull, A, Mode.MATCH, Order.MONGO, true);
    for (Value value : List.of(Value.NULL, Value.MISSING, Value.UNDEFINED)) {
      assertThat(several.contains(key(value, Order.MONGO))).isTrue();
    }
    assertThat(several.onlyPoints()).isTrue();
    assertThat(several.exact()).isFalse();
    assertThat(Intervals.of(isNull, A, Mode.MATCH, Order.MONGO, false).exact()).isTrue();
  }

  @Test
  void aPrefixIsOneExactRange() {
    Filter prefix = new Filter.Prefix(A, "ab");
    Intervals intervals = Intervals.of(prefix, A, Mode.SQL, Order.COSMOS, false);
    assertThat(intervals.exact()).isTrue();
    assertThat(intervals.members()).hasSize(1);
    assertThat(intervals.contains(key(Value.of("ab\uffff"), Order.COSMOS))).isTrue();
    assertThat(intervals.contains(key(Value.of("ac"), Order.COSMOS))).isFalse();
    assertThat(intervals.contains(key(Value.of("a"), Order.COSMOS))).isFalse();
  }

  @Test
  void elementsOfAnArrayInAnArrayHaveNoEntriesToBound() {
    Filter one = new Filter.ElementMatch(A, Filter.equal(path(""), Value.of(1)));
    Filter inner = new Filter.ElementMatch(path(""), Filter.equal(path(""), Value.of(1)));
    Filter nested = new Filter.ElementMatch(A, inner);
    assertThat(Intervals.of(one, A, Mode.MATCH, Order.MONGO, true).onlyPoints()).isTrue();
    assertThat(Intervals.of(nested, A, Mode.MATCH, Order.MONGO, true).isAll()).isTrue();
  }

  @Test
  void twoConditionsOnElementsMayBeMetByTwoOfThem() {
    Filter one = new Filter.ElementMatch(A, Filter.equal(path(""), Value.of(1)));
    Filter two = new Filter.ElementMatch(A, Filter.equal(path(""), Value.of(2)));
    Filter three = new Filter.ElementMatch(A, Filter.equal(path(""), Value.of(3)));
    Filter either = new Filter.Or(List.of(new Filter.And(List.of(one, two)), three));
    Filter neither =
        new Filter.Not(new Filter.Or(List.of(new Filter.Not(one), new Filter.Not(two))));
    FieldPath elements = A.child("[]");
    Intervals found = Intervals.of(either, elements, Mode.SQL, Order.COSMOS, true);
    assertThat(found.onlyPoints()).isTrue();
    assertThat(found.members()).hasSize(2);
    assertThat(Intervals.of(neither, elements, Mode.SQL, Order.COSMOS, true).members()).hasSize(1);
    assertThat(Intervals.of(new Filter.Not(one), elements, Mode.SQL, Order.COSMOS, true).isAll())
        .isTrue();
  }

  @Test
  void aConditionOnAnotherPathBoundsNothing() {
    Filter other = Filter.equal(path("b"), Value.of(1));
    for (Mode mode : Mode.values()) {
      Intervals intervals = Intervals.of(other, A, mode, Order.MONGO, true);
      assertThat(intervals.isAll()).isTrue();
      assertThat(intervals.exact()).isFalse();
    }
  }

  @Test
  void oneTypeOfNumbersIsNotExact() {
    Filter ints = new Filter.OfType(A, Set.of(Type.INT32));
    Intervals intervals = Intervals.of(ints, A, Mode.MATCH, Order.MONGO, false);
    assertThat(intervals.contains(key(Value.of(1.5), Order.MONGO))).isTrue();
    assertThat(intervals.exact()).isFalse();
  }
}

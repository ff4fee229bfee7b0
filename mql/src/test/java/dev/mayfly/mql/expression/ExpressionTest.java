package dev.mayfly.mql.expression;

import static dev.mayfly.query.testing.Docs.arr;
import static dev.mayfly.query.testing.Docs.doc;
import static dev.mayfly.query.testing.Docs.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.query.Operator;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExpressionTest {
  private static final Literal ONE = new Literal(Value.of(1));
  private static final Expression BROKEN =
      new Failure(QueryException.Reason.BAD_VALUE, 7, "broken");

  @Test
  void aPathSpreadsOverArraysAndLeavesNoGaps() {
    Document document =
        doc("a", arr(doc("b", 1), 5, arr(doc("b", 9)), doc("c", 2), doc("b", arr(3, 4))));

    assertThat(at(document, "a.b")).isEqualTo(arr(1, arr(3, 4)));
  }

  @Test
  void aNumberInAPathIsAName() {
    assertThat(at(doc("a", arr(1, 2)), "a.0")).isEqualTo(arr());
    assertThat(at(doc("a", doc("0", 7)), "a.0")).isEqualTo(Value.of(7));
  }

  @Test
  void aPathThroughAScalarLeadsNowhere() {
    assertThat(at(doc("a", 1), "a.b")).isEqualTo(Value.MISSING);
    assertThat(at(doc("a", 1), "b")).isEqualTo(Value.MISSING);
  }

  @Test
  void aVariableHoldsItsValueUntilItIsSetAgain() {
    Scope scope = Scope.of(1);
    scope.variable(0, Value.of(doc("x", 3)));

    assertThat(new VariablePath(0, path("x")).evaluate(scope)).isEqualTo(Value.of(3));
    assertThat(new VariablePath(0, path("")).evaluate(scope)).isEqualTo(Value.of(doc("x", 3)));
  }

  @Test
  void missingIsLeftOutOfObjectsAndNullInArrays() {
    Expression nothing = Literal.MISSING;

    assertThat(
            new Construction.NewObject(
                    List.of(
                        new Construction.Member("a", nothing), new Construction.Member("b", ONE)))
                .evaluate(Scope.of(0)))
        .isEqualTo(Value.of(doc("b", 1)));
    assertThat(new Construction.NewArray(List.of(nothing, ONE)).evaluate(Scope.of(0)))
        .isEqualTo(arr(Value.NULL, 1));
  }

  @Test
  void comparisonsCrossTypesAndTellMissingFromNull() {
    assertThat(compare(Operator.LT, Value.MISSING, Value.NULL)).isEqualTo(Value.TRUE);
    assertThat(compare(Operator.EQ, Value.MISSING, Value.NULL)).isEqualTo(Value.FALSE);
    assertThat(compare(Operator.LT, Value.of(100), Value.of("1"))).isEqualTo(Value.TRUE);
    assertThat(compare(Operator.EQ, Value.of(1), Value.of(1.0))).isEqualTo(Value.TRUE);
    assertThat(compare(Operator.GTE, Value.of(1), Value.of(Double.NaN))).isEqualTo(Value.TRUE);
  }

  @Test
  void logicStopsAtTheFirstMemberThatDecides() {
    Expression zero = new Literal(Value.of(0.0));

    assertThat(new Logic.And(List.of(ONE, zero, BROKEN)).evaluate(Scope.of(0)))
        .isEqualTo(Value.FALSE);
    assertThat(new Logic.Or(List.of(zero, ONE, BROKEN)).evaluate(Scope.of(0)))
        .isEqualTo(Value.TRUE);
    assertThat(new Logic.Not(Literal.NULL).evaluate(Scope.of(0))).isEqualTo(Value.TRUE);
  }

  @Test
  void onlyTheChosenBranchIsEvaluated() {
    assertThat(new Choice.Cond(ONE, ONE, BROKEN).evaluate(Scope.of(0))).isEqualTo(Value.of(1));
    assertThat(
            new Choice.Switch(
                    List.of(
                        new Choice.Branch(Literal.MISSING, BROKEN), new Choice.Branch(ONE, ONE)),
                    BROKEN)
                .evaluate(Scope.of(0)))
        .isEqualTo(Value.of(1));
    assertThat(new Choice.Coalesce(List.of(Literal.NULL, ONE, BROKEN)).evaluate(Scope.of(0)))
        .isEqualTo(Value.of(1));
  }

  @Test
  void aCallNamesTheOperationThatFailed() {
    Call.One failing =
        value -> {
          throw new QueryException(QueryException.Reason.WRONG_TYPE, 5, "{} dislikes " + value);
        };

    assertThatThrownBy(() -> Call.of("op", Call.Policy.AS_IS, failing, ONE).evaluate(Scope.of(0)))
        .isInstanceOfSatisfying(
            QueryException.class, failure -> assertThat(failure.number()).isEqualTo(5))
        .hasMessage("op dislikes 1");
    assertThat(Call.of("op", Call.Policy.MISSING_FOR_FAILURE, failing, ONE).evaluate(Scope.of(0)))
        .isEqualTo(Value.MISSING);
    assertThat(
            Call.of("op", Call.Policy.NULL_FOR_NULLISH, failing, Literal.MISSING)
                .evaluate(Scope.of(0)))
        .isEqualTo(Value.NULL);
  }

  @Test
  void aConstantCallIsComputedOnce() {
    Call.Two sum = (a, b) -> Value.of(a.asInt() + b.asInt());

    assertThat(Call.of("op", Call.Policy.AS_IS, sum, ONE, ONE)).isEqualTo(new Literal(Value.of(2)));
    assertThat(Call.of("op", Call.Policy.AS_IS, sum, ONE, new RootPath(path("a"))))
        .isNotInstanceOf(Literal.class);
  }

  private static Value at(Document document, String path) {
    return new RootPath(path(path)).evaluate(Scope.of(0).root(document));
  }

  private static Value compare(Operator operator, Value left, Value right) {
    return new Comparison(operator, new Literal(left), new Literal(right), Order.MONGO)
        .evaluate(Scope.of(0));
  }
}

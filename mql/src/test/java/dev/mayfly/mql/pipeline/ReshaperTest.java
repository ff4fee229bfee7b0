package dev.mayfly.mql.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.RootPath;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ReshaperTest {
  private static final Shape KEEP = new Shape.Keep();
  private static final Shape DROP = new Shape.Drop();
  private static final Shape NINE = new Shape.Compute(new Literal(Value.of(9)));
  private static final Shape NOTHING = new Shape.Compute(Literal.MISSING);

  @Test
  void whatIsIncludedStaysInTheOrderOfTheDocument() {
    include("{\"_id\": 1, \"a\": 2, \"b\": 3}", "{\"_id\": 1, \"b\": 3}", "b", KEEP, "_id", KEEP);
    include("{\"a\": {\"b\": 1, \"c\": 2}}", "{\"a\": {\"b\": 1}}", "a", nested("b", KEEP));
    include("{\"a\": 5}", "{}", "a", nested("b", KEEP));
    include(
        "{\"a\": [1, {\"b\": 1, \"c\": 2}, {}, [{\"b\": 2}, 7]]}",
        "{\"a\": [{\"b\": 1}, {}, [{\"b\": 2}]]}",
        "a",
        nested("b", KEEP));
  }

  @Test
  void whatIsComputedBesideInclusionsComesBehind() {
    include("{\"x\": 1, \"a\": 2}", "{\"a\": 2, \"x\": 9}", "x", NINE, "a", KEEP);
    include("{\"a\": 5}", "{\"a\": {\"b\": 9}}", "a", nested("b", NINE));
    include("{}", "{\"a\": {\"b\": 9}}", "a", nested("b", NINE));
    include(
        "{\"a\": [1, {\"b\": 1, \"c\": 2}]}",
        "{\"a\": [{\"b\": 9}, {\"c\": 2, \"b\": 9}]}",
        "a",
        nested("b", NINE, "c", KEEP));
  }

  @Test
  void whatIsAddedTakesThePlaceOfWhatWasThere() {
    keep("{\"x\": 1, \"a\": 2}", "{\"x\": 9, \"a\": 2, \"z\": 9}", "z", NINE, "x", NINE);
    keep("{\"a\": 1, \"b\": 2}", "{\"b\": 2}", "a", NOTHING, "c", NOTHING);
    keep("{\"a\": {\"c\": 1}}", "{\"a\": {\"c\": 1, \"b\": 9}}", "a", nested("b", NINE));
    keep("{\"a\": 1}", "{\"a\": {\"b\": 9}}", "a", nested("b", NINE));
    keep(
        "{\"a\": [1, {\"c\": 2}]}",
        "{\"a\": [{\"b\": 9}, {\"c\": 2, \"b\": 9}]}",
        "a",
        nested("b", NINE));
    keep("{}", "{\"a\": {}}", "a", nested("b", NOTHING));
  }

  @Test
  void whatIsExcludedLeavesTheRestAsItWas() {
    keep("{\"a\": 1, \"b\": 2}", "{\"b\": 2}", "a", DROP, "c", DROP);
    keep(
        "{\"a\": [1, {\"b\": 1, \"c\": 2}, [{\"b\": 3}]], \"d\": 4}",
        "{\"a\": [1, {\"c\": 2}, [{}]], \"d\": 4}",
        "a",
        nested("b", DROP));
    keep("{\"a\": 5}", "{\"a\": 5}", "a", nested("b", DROP));
  }

  @Test
  void expressionsSeeTheWholeDocument() {
    keep(
        "{\"a\": [{\"b\": 1}], \"x\": 7}",
        "{\"a\": [{\"b\": 7}], \"x\": 7}",
        "a",
        nested("b", new Shape.Compute(new RootPath(FieldPath.of("x")))));
  }

  @Test
  void aShapeTellsWhichFieldsItLeavesAlone() {
    Stage.Reshape include =
        Reshaper.stage(nested("a", KEEP, "b", NINE, "c", nested("d", KEEP)), Shape.Others.LEFT_OUT);
    assertThat(include.preservedFields()).isEqualTo(PreservedFields.only(Set.of("a")));
    Stage.Reshape add =
        Reshaper.stage(nested("b", NINE, "c", nested("d", DROP)), Shape.Others.KEPT);
    assertThat(add.preservedFields()).isEqualTo(PreservedFields.allBut(Set.of("b", "c")));
  }

  private static void include(String before, String after, Object... shape) {
    check(before, after, Shape.Others.LEFT_OUT, shape);
  }

  private static void keep(String before, String after, Object... shape) {
    check(before, after, Shape.Others.KEPT, shape);
  }

  private static void check(String before, String after, Shape.Others others, Object... shape) {
    Document document = ExtendedJson.parse(before, Limits.MONGO);
    Stage.Reshape stage = Reshaper.stage(nested(shape), others);
    assertThat(stage.step().apply(document, Scope.of(0).root(document)))
        .isEqualTo(ExtendedJson.parse(after, Limits.MONGO));
  }

  private static Shape.Nested nested(Object... namesAndShapes) {
    Map<String, Shape> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndShapes.length; i += 2) {
      fields.put((String) namesAndShapes[i], (Shape) namesAndShapes[i + 1]);
    }
    return new Shape.Nested(fields);
  }
}

package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SeedExtension.class)
final class AccumulatorParserTest {
  private static final String MIXED =
      "[{'a': 3, 'k': 2}, {'a': 1, 'k': 3}, {'a': null, 'k': 1}, {'k': 0}, {'a': 3, 'k': 5}]";

  @Test
  void sumsCountNumbersAlone() {
    check("{'$sum': '$a'}", MIXED, "7");
    check("{'$sum': 1}", MIXED, "5");
    check("{'$sum': '$a'}", "[]", "0");
    check("{'$sum': '$a'}", "[{'a': 'x'}, {'a': 2}]", "2");
    check("{'$sum': '$a'}", "[{'a': 2147483647}, {'a': 1}]", "{'$numberLong': '2147483648'}");
    check(
        "{'$sum': '$a'}",
        "[{'a': {'$numberLong': '9223372036854775807'}}, {'a': 1}]",
        "9.223372036854775808E18");
    check("{'$sum': '$a'}", "[{'a': 0.1}, {'a': 0.1}, {'a': 0.1}]", "0.30000000000000004");
    check("{'$sum': '$a'}", "[" + "{'a': 0.1}, ".repeat(9) + "{'a': 0.1}]", "1.0");
    check(
        "{'$sum': '$a'}",
        "[{'a': {'$numberDecimal': '0.1'}}, {'a': 2}]",
        "{'$numberDecimal': '2.1'}");
    check("{'$count': {}}", MIXED, "5");
  }

  @Test
  void meansAndDeviations() {
    check("{'$avg': '$a'}", "[{'a': 1}, {'a': 2}, {'a': 'x'}]", "1.5");
    check("{'$avg': '$a'}", "[{'a': 'x'}]", "null");
    check("{'$stdDevPop': '$a'}", "[{'a': 1}, {'a': 3}]", "1.0");
    check("{'$stdDevSamp': '$a'}", "[{'a': 1}, {'a': 1}]", "0.0");
    check("{'$stdDevSamp': '$a'}", "[{'a': 1}]", "null");
  }

  @Test
  void picksAndGatherings() {
    check("{'$min': '$a'}", MIXED, "1");
    check("{'$max': '$a'}", MIXED, "3");
    check("{'$max': '$x'}", MIXED, "null");
    check("{'$first': '$a'}", MIXED, "3");
    check("{'$last': '$x'}", MIXED, "null");
    check("{'$push': '$a'}", MIXED, "[3, 1, null, 3]");
    check("{'$addToSet': '$a'}", MIXED, "[null, 1, 3]");
    check(
        "{'$mergeObjects': '$o'}",
        "[{'o': {'a': 1, 'b': 1}}, {}, {'o': {'b': 2}}]",
        "{'a': 1, 'b': 2}");
    check("{'$firstN': {'n': 2, 'input': '$a'}}", MIXED, "[3, 1]");
    check("{'$lastN': {'n': 2, 'input': '$a'}}", MIXED, "[null, 3]");
    check("{'$minN': {'n': 2, 'input': '$k'}}", MIXED, "[0, 1]");
    check("{'$maxN': {'n': 2, 'input': '$k'}}", MIXED, "[5, 3]");
    check("{'$top': {'sortBy': {'k': 1}, 'output': '$k'}}", MIXED, "0");
    check("{'$bottom': {'sortBy': {'k': 1}, 'output': ['$k', '$a']}}", MIXED, "[5, 3]");
    check("{'$topN': {'n': 2, 'sortBy': {'k': -1}, 'output': '$k'}}", MIXED, "[5, 3]");
    check("{'$bottomN': {'n': 2, 'sortBy': {'k': -1}, 'output': '$k'}}", MIXED, "[1, 0]");
    check("{'$median': {'input': '$k', 'method': 'approximate'}}", MIXED, "2.0");
    check(
        "{'$percentile': {'input': '$k', 'p': [0.95, 0.2], 'method': 'approximate'}}",
        MIXED,
        "[5.0, 0.0]");
  }

  @Test
  void howManyMayDependOnTheGroup() {
    Accumulation accumulation = parse("{'$firstN': {'n': '$many', 'input': '$a'}}");
    Scope group = Scope.of(0).root(ExpressionTable.value("{'many': 1}").asDocument());
    Accumulator accumulator = accumulation.start(group);
    feed(accumulation, accumulator, documents("[{'a': 1}, {'a': 2}]"));

    assertThat(accumulator.result()).isEqualTo(ExpressionTable.value("[1]"));
  }

  @Test
  void whatIsNoAccumulatorIsRefused() {
    assertThatThrownBy(() -> parse("{'$nope': 1}")).hasMessage("unknown group operator '$nope'");
    assertThatThrownBy(() -> parse("{'$sum': 1, '$avg': 1}"))
        .hasMessage("The field 'f' must specify one accumulator");
    assertThatThrownBy(() -> parse("1")).isInstanceOf(CommandException.class);
    assertThatThrownBy(() -> parse("{'$sum': [1, 2]}")).hasMessageContaining("unary");
    assertThatThrownBy(() -> parse("{'$accumulator': {}}")).hasMessageContaining("JavaScript");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$sum': '$a'}",
        "{'$avg': '$a'}",
        "{'$min': '$a'}",
        "{'$max': '$a'}",
        "{'$first': '$a'}",
        "{'$last': '$a'}",
        "{'$push': '$a'}",
        "{'$addToSet': '$a'}",
        "{'$count': {}}",
        "{'$firstN': {'n': 3, 'input': '$a'}}",
        "{'$lastN': {'n': 3, 'input': '$a'}}",
        "{'$minN': {'n': 3, 'input': '$a'}}",
        "{'$topN': {'n': 3, 'sortBy': {'a': -1}, 'output': '$b'}}",
        "{'$median': {'input': '$a', 'method': 'approximate'}}",
      })
  void partsMergedComeToTheSameAsTheWhole(String syntax, Random random) {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      documents.add(Document.writer().put("a", random.nextInt(100)).put("b", i).build());
    }
    int cut = random.nextInt(51);
    Accumulation accumulation = parse(syntax);
    Accumulator whole = accumulation.start(Scope.of(0));
    Accumulator left = accumulation.start(Scope.of(0));
    Accumulator right = accumulation.start(Scope.of(0));
    feed(accumulation, whole, documents);
    feed(accumulation, left, documents.subList(0, cut));
    feed(accumulation, right, documents.subList(cut, 50));

    Accumulator merged = accumulation.start(Scope.of(0));
    merged.merge(left.state());
    merged.merge(right.state());

    assertThat(merged.result()).isEqualTo(whole.result());
    assertThat(merged.bytes()).isPositive();
  }

  private static void check(String syntax, String documents, String expected) {
    Accumulation accumulation = parse(syntax);
    Accumulator accumulator = accumulation.start(Scope.of(0));
    feed(accumulation, accumulator, documents(documents));

    assertThat(ExtendedJson.canonical(accumulator.result()))
        .as(syntax)
        .isEqualTo(ExtendedJson.canonical(ExpressionTable.value(expected)));
  }

  private static Accumulation parse(String syntax) {
    return AccumulatorParser.parse("f", ExpressionTable.value(syntax), Variables.none(0));
  }

  private static void feed(
      Accumulation accumulation, Accumulator accumulator, List<Document> documents) {
    Scope scope = Scope.of(0);
    for (Document document : documents) {
      accumulation.add(accumulator, scope.root(document));
    }
  }

  private static List<Document> documents(String array) {
    List<Document> documents = new ArrayList<>();
    Value parsed = ExpressionTable.value(array);
    Fields each = parsed.asDocument().fields();
    while (each.next()) {
      documents.add(each.value().asDocument());
    }
    return documents;
  }
}

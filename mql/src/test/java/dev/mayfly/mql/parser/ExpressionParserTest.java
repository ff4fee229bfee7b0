package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import org.junit.jupiter.api.Test;

final class ExpressionParserTest {
  private static final String DOCUMENT =
      "with {'a': 1, 'b': {'c': [{'d': 1}, {'d': 2}, {'e': 3}, 4]}, 's': 'text'}\n";

  @Test
  void pathsLiteralsObjectsAndArrays() {
    ExpressionTable.check(
        DOCUMENT
            + """
            '$a' => 1
            '$b.c.d' => [1, 2]
            '$x.y' => missing
            '$$ROOT.a' => 1
            '$$CURRENT.s' => 'text'
            '$$REMOVE' => missing
            'text' => 'text'
            {'$literal': '$a'} => '$a'
            {'x': '$a', 'y': '$gone', 'z': {'w': '$s'}} => {'x': 1, 'z': {'w': 'text'}}
            ['$a', '$gone'] => [1, null]
            {} => {}
            '$$NOW' => {'$date': {'$numberLong': '1700000000123'}}
            """);
  }

  @Test
  void syntaxThatMeansNothingIsRefusedByNumber() {
    ExpressionTable.check(
        """
        {'$nope': 1} => !168
        {'$add': [1], '$abs': 1} => !15983
        {'a.b': 1} => !16412
        {'a': 1, '$b': 2} => !16410
        '$' => !16872
        '$a.' => !40353
        '$a..b' => !15998
        '$$' => !9
        '$$nope' => !17276
        {'$function': {'body': 'x', 'args': [], 'lang': 'js'}} => !31264
        {'$rand': 1} => !3040501
        """);
  }

  @Test
  void comparisonsUseTheTotalOrder() {
    ExpressionTable.check(
        DOCUMENT
            + """
            {'$eq': ['$a', 1.0]} => true
            {'$eq': ['$gone', null]} => false
            {'$lt': ['$gone', null]} => true
            {'$gt': ['x', 5]} => true
            {'$ne': [1, 2]} => true
            {'$lte': [2, 2]} => true
            {'$gte': [1, 2]} => false
            {'$cmp': [2, 1]} => 1
            {'$cmp': [1, 'a']} => -1
            {'$eq': [1]} => !16020
            """);
  }

  @Test
  void logicAndChoice() {
    ExpressionTable.check(
        DOCUMENT
            + """
            {'$and': []} => true
            {'$or': []} => false
            {'$and': [1, 'x', []]} => true
            {'$and': [1, 0]} => false
            {'$or': [null, '$gone', 0.0]} => false
            {'$not': ['$gone']} => true
            {'$not': [[]]} => false
            {'$cond': [true, 1, 2]} => 1
            {'$cond': {'if': '$gone', 'then': 1, 'else': 2}} => 2
            {'$cond': {'if': 1, 'then': 2}} => !17082
            {'$cond': {'if': 1, 'then': 2, 'else': 3, 'x': 1}} => !17083
            {'$cond': [1, 2]} => !16020
            {'$ifNull': ['$gone', null, 5]} => 5
            {'$ifNull': ['$gone', '$also']} => missing
            {'$ifNull': [1]} => !1257300
            {'$switch': {'branches': [{'case': 0, 'then': 1}, {'case': '$a', 'then': 'yes'}]}} \
                => 'yes'
            {'$switch': {'branches': [{'case': 0, 'then': 1}], 'default': 'no'}} => 'no'
            {'$switch': {'branches': [{'case': '$gone', 'then': 1}]}} => !40066
            {'$switch': {'branches': []}} => !40068
            {'$switch': {'branches': [{'case': 1}]}} => !40065
            {'$switch': 1} => !40060
            """);
  }

  @Test
  void variablesHaveTheirOwnNames() {
    ExpressionTable.check(
        """
        with {'xs': [1, 2, 3], 'o': {'p': 7}}
        {'$let': {'vars': {'x': '$o', 'y': 2}, 'in': {'$add': ['$$x.p', '$$y']}}} => 9
        {'$let': {'vars': {'x': 1}, 'in': {'$let': {'vars': {'x': 2, 'y': '$$x'}, 'in': ['$$x', \
            '$$y']}}}} => [2, 1]
        {'$let': {'vars': {'CURRENT': '$o'}, 'in': '$p'}} => 7
        {'$let': {'vars': {'X': 1}, 'in': 1}} => !9
        {'$let': {'vars': {'x': 1}}} => !16877
        {'$map': {'input': '$xs', 'as': 'x', 'in': {'$multiply': ['$$x', '$$x']}}} => [1, 4, 9]
        {'$map': {'input': '$xs', 'in': '$$this'}} => [1, 2, 3]
        {'$map': {'input': '$gone', 'in': 1}} => null
        {'$map': {'input': 1, 'in': 1}} => !16883
        {'$map': {'input': '$xs', 'in': '$gone'}} => [null, null, null]
        {'$map': {'input': '$xs', 'as': 'x', 'in': {'$map': {'input': '$xs', 'as': 'y', \
            'in': {'$add': ['$$x', '$$y']}}}}} => [[2, 3, 4], [3, 4, 5], [4, 5, 6]]
        {'$filter': {'input': '$xs', 'as': 'x', 'cond': {'$gte': ['$$x', 2]}}} => [2, 3]
        {'$filter': {'input': '$xs', 'cond': true, 'limit': 2}} => [1, 2]
        {'$filter': {'input': '$xs', 'cond': true, 'limit': 0}} => !327392
        {'$filter': {'input': 'x', 'cond': true}} => !28651
        {'$reduce': {'input': '$xs', 'initialValue': 10, 'in': {'$add': ['$$value', \
            '$$this']}}} => 16
        {'$reduce': {'input': null, 'initialValue': 10, 'in': 1}} => null
        {'$reduce': {'input': 1, 'initialValue': 10, 'in': 1}} => !40080
        """);
  }

  @Test
  void aCollationDecidesWhatIsEqual() {
    Collation german =
        CollationParser.parse(
            ExpressionTable.value("{'locale': 'de', 'strength': 1}").asDocument());
    Variables variables = Variables.none(0).collated(german);
    Expression same =
        ExpressionParser.parse(ExpressionTable.value("{'$eq': ['Äpfel', 'apfel']}"), variables);
    Expression member =
        ExpressionParser.parse(ExpressionTable.value("{'$in': ['A', ['b', 'a']]}"), variables);

    assertThat(same.evaluate(Scope.of(0))).isEqualTo(Value.TRUE);
    assertThat(member.evaluate(Scope.of(0))).isEqualTo(Value.TRUE);
  }

  @Test
  void constantsAreComputedWhileParsing() {
    Expression parsed =
        ExpressionParser.parse(
            ExpressionTable.value("{'$add': [1, {'$multiply': [2, 3]}]}"), Variables.none(0));

    assertThat(parsed).isEqualTo(new Literal(Value.of(7)));
  }

  @Test
  void aConstantThatFailsDoesSoOnlyWhenItIsNeeded() {
    assertThat(
            ExpressionTable.evaluate(
                "{'$cond': ['$a', {'$divide': [1, 0]}, 'fine']}", Document.EMPTY))
        .isEqualTo(Value.of("fine"));
  }

  @Test
  void theVariablesOfACommandAreConstants() {
    Variables variables =
        Variables.none(0)
            .with(ExpressionTable.value("{'x': {'$add': [1, 2]}, 'o': {'p': 5}}").asDocument());

    assertThat(ExpressionParser.parse(Value.of("$$x"), variables).evaluate(Scope.of(0)))
        .isEqualTo(Value.of(3));
    assertThat(ExpressionParser.parse(Value.of("$$o.p"), variables).evaluate(Scope.of(0)))
        .isEqualTo(Value.of(5));
    assertThatThrownBy(
            () -> Variables.none(0).with(ExpressionTable.value("{'x': '$a'}").asDocument()))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("tried to access a field");
  }

  @Test
  void aRandomNumberIsAnotherOneEachTime() {
    Expression random =
        ExpressionParser.parse(ExpressionTable.value("{'$rand': {}}"), Variables.none(0));
    double first = random.evaluate(Scope.of(0)).asDouble();

    assertThat(first).isBetween(0.0, 1.0);
    assertThat(random.evaluate(Scope.of(0)).asDouble()).isNotEqualTo(first);
  }
}

package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of expressions and what they give.
 *
 * <p>One row per line: {@code expression => value}, in Extended JSON with single quotes for double
 * ones; {@code missing} for nothing, {@code !number} for a failure. A line {@code with document}
 * changes the document that paths start from.
 */
final class ExpressionTable {
  static final long NOW = 1_700_000_000_123L;

  private Document document = Document.EMPTY;
  private final List<String> wrong = new ArrayList<>();
  private int rows;

  private ExpressionTable() {}

  /** Fails with all rows that give something else. */
  static void check(String table) {
    ExpressionTable checked = new ExpressionTable();
    table.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(checked::line);
    assertThat(checked.rows).isPositive();
    assertThat(checked.wrong).isEmpty();
  }

  static Value value(String json) {
    return ExtendedJson.parseValue(json.replace('\'', '"'), Limits.MONGO);
  }

  /** What the expression gives for the document. */
  static Value evaluate(String expression, Document document) {
    Variables variables = Variables.none(NOW);
    Expression parsed = ExpressionParser.parse(value(expression), variables);
    return parsed.evaluate(variables.scope().root(document));
  }

  private void line(String line) {
    if (line.startsWith("with ")) {
      document = value(line.substring(5)).asDocument();
      return;
    }
    rows++;
    int arrow = line.lastIndexOf("=>");
    String expression = line.substring(0, arrow).strip();
    String wanted = line.substring(arrow + 2).strip();
    String given = outcome(expression);
    String expected =
        wanted.startsWith("!") || wanted.equals("missing")
            ? wanted
            : ExtendedJson.canonical(value(wanted));
    if (!given.equals(expected) && !(wanted.startsWith("!") && given.startsWith(wanted + " "))) {
      wrong.add(expression + " => " + given + " instead of " + expected);
    }
  }

  private String outcome(String expression) {
    try {
      Value value = evaluate(expression, document);
      return value.isMissing() ? "missing" : ExtendedJson.canonical(value);
    } catch (QueryException failure) {
      return "!" + failure.number() + " " + failure.getMessage();
    } catch (CommandException failure) {
      return "!" + failure.code().number() + " " + failure.message();
    }
  }
}

package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class OrderTest {
  /** One value of each bracket, as MongoDB sorts them. */
  private static final List<Value> MONGO =
      List.of(
          Value.MIN_KEY,
          Value.MISSING,
          Value.UNDEFINED,
          Value.NULL,
          Value.of(1),
          Value.of("a"),
          Value.of(Document.EMPTY),
          Value.array(Document.EMPTY),
          Value.binary((byte) 0, new byte[0]),
          Value.objectId(new byte[12]),
          Value.FALSE,
          Value.date(0),
          Value.timestamp(0),
          Value.regex("", ""),
          Value.dbPointer("", new byte[12]),
          Value.code(""),
          Value.codeWithScope("", Document.EMPTY),
          Value.MAX_KEY);

  /** The brackets that JSON has, as Cosmos DB sorts them. */
  private static final List<Value> COSMOS =
      List.of(
          Value.MISSING,
          Value.NULL,
          Value.FALSE,
          Value.of(1),
          Value.of("a"),
          Value.array(Document.EMPTY),
          Value.of(Document.EMPTY),
          Value.binary((byte) 0, new byte[0]),
          Value.MAX_KEY);

  @Test
  void typesAreRankedAsMongoDbDoes() {
    assertAscending(Order.MONGO, MONGO);
  }

  @Test
  void typesAreRankedAsCosmosDbDoes() {
    assertAscending(Order.COSMOS, COSMOS);
  }

  static Stream<Arguments> ascending() {
    return Stream.of(
        Arguments.of("numbers", "[{\"$numberDouble\":\"NaN\"}, -1e400, -1, 0, 0.1, 1, 1e400]"),
        Arguments.of("text", "[\"\", \"\\u0000\", \"A\", \"a\", \"a\\u0000\", \"aa\", \"\u00e9\"]"),
        Arguments.of(
            "text by UTF-8", "[\"\\ud7ff\", \"\\ue000\", \"\\uffff\", \"\\ud83d\\ude00\"]"),
        Arguments.of("booleans", "[false, true]"),
        Arguments.of("arrays", "[[], [null], [null, 0], [1], [1, 1], [2], [\"a\"]]"),
        Arguments.of(
            "dates",
            "[{\"$date\":{\"$numberLong\":\"-1\"}}, {\"$date\":{\"$numberLong\":\"0\"}},"
                + " {\"$date\":{\"$numberLong\":\"1\"}}]"),
        Arguments.of(
            "timestamps as unsigned",
            "[{\"$timestamp\":{\"t\":0,\"i\":1}}, {\"$timestamp\":{\"t\":1,\"i\":0}},"
                + " {\"$timestamp\":{\"t\":4294967295,\"i\":0}}]"),
        Arguments.of(
            "binaries by length, subtype, bytes",
            "[{\"$binary\":{\"base64\":\"/w==\",\"subType\":\"ff\"}},"
                + "{\"$binary\":{\"base64\":\"AAA=\",\"subType\":\"00\"}},"
                + "{\"$binary\":{\"base64\":\"AP8=\",\"subType\":\"00\"}},"
                + "{\"$binary\":{\"base64\":\"AAA=\",\"subType\":\"80\"}}]"),
        Arguments.of(
            "ObjectIds",
            "[{\"$oid\":\"000000000000000000000001\"}, {\"$oid\":\"ff0000000000000000000000\"}]"),
        Arguments.of(
            "regular expressions by pattern, then options",
            "[{\"$regularExpression\":{\"pattern\":\"a\",\"options\":\"\"}},"
                + "{\"$regularExpression\":{\"pattern\":\"a\",\"options\":\"i\"}},"
                + "{\"$regularExpression\":{\"pattern\":\"ab\",\"options\":\"\"}}]"),
        Arguments.of(
            "codes by source, then scope",
            "[{\"$code\":\"a\",\"$scope\":{}}, {\"$code\":\"a\",\"$scope\":{\"b\":1}},"
                + " {\"$code\":\"b\",\"$scope\":{}}]"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ascending")
  void withinARankBothOrdersAgree(String what, String json) {
    List<Value> values =
        values(
            json.replace("1e400", "{\"$numberDecimal\":\"1e400\"}")
                .replace("-{\"$numberDecimal\":\"", "{\"$numberDecimal\":\"-"));
    assertAscending(Order.MONGO, values);
    assertAscending(Order.COSMOS, values);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {'a':null}",
        "{'b':null} | {'a':1}",
        "{'a':1} | {'b':1}",
        "{'b':1} | {'a':'x'}",
        "{'a':1} | {'a':2}",
        "{'a':1} | {'a':1,'b':1}",
        "{'a':1,'b':1} | {'b':1,'a':1}",
      })
  void mongoComparesObjectsFieldByFieldTypeFirst(String low, String high) {
    assertAscending(Order.MONGO, List.of(value(low), value(high)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {'a':null}",
        "{'a':1} | {'b':null}",
        "{'a':'x'} | {'b':1}",
        "{'a':1} | {'a':2}",
        "{'a':1,'b':1} | {'b':1}",
        "{'b':1,'a':1} | {'a':1,'b':2}",
      })
  void cosmosComparesObjectsByNameThenValue(String low, String high) {
    assertAscending(Order.COSMOS, List.of(value(low), value(high)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a':1,'b':2} | {'b':2,'a':1}",
        "[{'a':{'x':1,'y':[]},'b':2}] | [{'b':2.0,'a':{'y':[],'x':1}}]",
      })
  void cosmosIgnoresTheOrderOfFields(String a, String b) {
    assertThat(Order.COSMOS.compare(value(a), value(b))).isZero();
    assertThat(Order.MONGO.compare(value(a), value(b))).isNotZero();
  }

  @ParameterizedTest
  @EnumSource
  void formsOfTheSameValueAreEqual(Order order) {
    List<List<Value>> same =
        List.of(
            List.of(Value.of(1), Value.of(1L), Value.of(1.0), Value.decimal("1.00")),
            List.of(Value.of(0), Value.of(-0.0), Value.decimal("-0E+3")),
            List.of(Value.of(Double.NaN), Value.decimal("NaN")),
            List.of(Value.of(Double.POSITIVE_INFINITY), Value.decimal("Infinity")),
            List.of(Value.of("a"), Value.symbol("a")));
    for (List<Value> forms : same) {
      for (Value form : forms) {
        assertThat(order.compare(forms.getFirst(), form)).as("%s", form).isZero();
      }
    }
  }

  private static void assertAscending(Order order, List<Value> values) {
    for (int i = 0; i < values.size(); i++) {
      for (int j = 0; j < values.size(); j++) {
        assertThat(Integer.signum(order.compare(values.get(i), values.get(j))))
            .as("%s against %s", values.get(i), values.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  private static List<Value> values(String json) {
    Fields elements = value(json).asDocument().fields();
    Stream.Builder<Value> values = Stream.builder();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values.build().toList();
  }

  private static Value value(String json) {
    return ExtendedJson.parseValue(json.replace('\'', '"'), Limits.MONGO);
  }
}

package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mayfly.value.ValueException.Reason;
import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SeedExtension.class)
final class JsonTest {
  @ParameterizedTest
  @CsvSource({
    "0, INT64",
    "-1, INT64",
    "9223372036854775807, INT64",
    "-9223372036854775808, INT64",
    "9223372036854775808, DOUBLE",
    "-9223372036854775809, DOUBLE",
    "1.0, DOUBLE",
    "1e3, DOUBLE",
    "5e-324, DOUBLE",
    "1e-400, DOUBLE",
    "true, BOOLEAN",
    "null, NULL",
    "'\"\"', STRING",
    "[], ARRAY",
    "{}, OBJECT",
    "'{\"$oid\":\"000000000000000000000000\"}', OBJECT",
  })
  void plainJsonHasSevenTypes(String json, Type type) {
    assertThat(Json.parseValue(json, Limits.COSMOS).type()).isEqualTo(type);
    byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
    assertThat(Json.parseValue(utf8, Limits.COSMOS).type()).isEqualTo(type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"\":0}",
        "{\"a\":{\"b\":[1,[],{},[[\"x\"]]],\"c\":null},\"d\":true}",
        "{\"a\":1,\"a\":2}",
        "{\"\u00e9\":\"\u20ac\ud83d\ude00\"}",
        "{\"q\\\"\\\\\":\"\\n\\r\\t\\b\\f\\u0000\\u001f/\"}",
        "{\"n\":[9223372036854775807,-9223372036854775808,0.1,1.0E300,4.9E-324,-0.0]}",
      })
  void whatWasReadIsWrittenAsItWas(String json) {
    Document document = Json.parse(json, Limits.COSMOS);
    assertThat(Json.write(document)).isEqualTo(json);
    assertThat(Json.parse(json.getBytes(StandardCharsets.UTF_8), Limits.COSMOS))
        .isEqualTo(document);
    assertThat(Document.of(document.bytes(), Limits.COSMOS)).isEqualTo(document);
  }

  @Test
  void everyCharacterIsEscapedWhereItMustBeWhereverItStands() {
    for (char c = 0; c < 0x100; c++) {
      for (int before = 0; before < 18; before++) {
        String text = "x".repeat(before) + c + "y".repeat(17 - before);
        Document document = Document.writer().put("t", text).build();
        String json = Json.write(document);
        boolean special = c < ' ' || c == '"' || c == '\\';
        assertThat(json.length()).isEqualTo(text.length() + 8 + (special ? escape(c) : 0));
        assertThat(Json.parse(json, Limits.COSMOS)).isEqualTo(document);
        assertThat(Json.parse(Json.bytes(document), Limits.COSMOS)).isEqualTo(document);
      }
    }
  }

  private static int escape(char c) {
    return "\"\\\n\r\t\b\f".indexOf(c) >= 0 ? 1 : 5;
  }

  @Test
  void membersAreAddedAtTheEnd() {
    Document document = Json.parse("{\"a\":[1]}", Limits.COSMOS);
    assertThat(Json.bytes(document, "\"b\":2,\"c\":{}"))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"a\":[1],\"b\":2,\"c\":{}}");
    assertThat(Json.bytes(Document.EMPTY, "\"b\":2"))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"b\":2}");
  }

  @ParameterizedTest
  @CsvSource({
    "1.0, 1",
    "-3.0, -3",
    "9007199254740992.0, 9007199254740992",
    "1e16, 1.0E16",
    "0.1, 0.1",
    "2e-3, 0.002",
    "-0.0, -0.0",
  })
  void doublesAreWrittenInTheirShortestExactForm(double number, String json) {
    assertThat(Json.write(Value.of(number))).isEqualTo(json);
    assertThat(Double.parseDouble(json)).isEqualTo(number);
  }

  @Test
  void typesThatJsonLacksAreWrittenAsExtendedJson() {
    Document document =
        Document.writer().put("d", Value.date(0)).put("n", Double.NaN).put("i", 1L << 62).build();
    assertThat(Json.write(document))
        .isEqualTo(
            "{\"d\":{\"$date\":\"1970-01-01T00:00:00Z\"},"
                + "\"n\":{\"$numberDouble\":\"NaN\"},\"i\":4611686018427387904}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 0",
        "1 | 0",
        "[] | 0",
        "{ | 1",
        "{'a' | 4",
        "{'a':} | 5",
        "{'a':1,} | 7",
        "{'a':01} | 5",
        "{'a':.5} | 5",
        "{'a':NaN} | 5",
        "{'a':1} x | 8",
        "{'a':1}{} | 7",
        "{'a':[1} | 7",
        "{'a':1e999} | 5",
        "{'a':'\t'} | 6",
        "{'a':'\\x'} | 7",
        "{a:1} | 1",
        "{'a':tru} | 5",
      })
  void whatIsNotJsonIsRefusedNearWhereItBreaks(String json, long position) {
    String text = json.replace('\'', '"');
    ValueException e = refusal(text);
    assertThat(e.reason()).isEqualTo(Reason.NOT_JSON);
    assertThat(e.position()).as(e.getMessage()).isBetween(position, position + 4);
    ValueException bytes =
        catchThrowableOfType(
            ValueException.class,
            () -> Json.parse(text.getBytes(StandardCharsets.UTF_8), Limits.COSMOS));
    assertThat(bytes.reason()).isEqualTo(Reason.NOT_JSON);
    assertThat(bytes.position()).as(bytes.getMessage()).isBetween(position, position + 4);
  }

  @Test
  void bytesThatAreNotUtf8AreRefusedWhereTheyStart() {
    byte[] bytes = "{\"a\":\"??\"}".getBytes(StandardCharsets.ISO_8859_1);
    bytes[6] = (byte) 0xC3;
    ValueException e =
        catchThrowableOfType(ValueException.class, () -> Json.parse(bytes, Limits.COSMOS));
    assertThat(e.reason()).isEqualTo(Reason.NOT_JSON);
    assertThat(e.position()).isEqualTo(6);
  }

  @Test
  void aNameWithNulIsRefusedWithItsPlace() {
    ValueException e = refusal("{\"a\\u0000\":1}");
    assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
    assertThat(e.position()).isPositive();
  }

  @Test
  void halfASurrogatePairBecomesTheReplacementCharacter() {
    Document document = Json.parse("{\"a\":\"\\ud83d!\"}", Limits.COSMOS);
    assertThat(document.field("a").asString()).isEqualTo("\uFFFD!");
    assertThat(Document.of(document.bytes(), Limits.COSMOS)).isEqualTo(document);
  }

  @Test
  void depthIsLimitedWithoutUsingTheStack() {
    int levels = 100_000;
    for (String json : new String[] {"[".repeat(levels), "{\"a\":".repeat(levels)}) {
      ValueException plain =
          catchThrowableOfType(ValueException.class, () -> Json.parseValue(json, Limits.COSMOS));
      assertThat(plain.reason()).isEqualTo(Reason.TOO_DEEP);
      assertThat(plain.position()).isPositive();
    }
    String nested = "{\"a\":" + "[".repeat(levels) + "]".repeat(levels) + "}";
    Limits anyDepth = new Limits(16 << 20, Integer.MAX_VALUE);
    Document document = Json.parse(nested, anyDepth);
    assertThat(Json.write(document)).isEqualTo(nested);
    assertThat(Document.of(document.bytes(), anyDepth)).isEqualTo(document);
  }

  @ParameterizedTest
  @CsvSource({"128, true", "129, false"})
  void theLimitItselfIsAllowed(int levels, boolean allowed) {
    String json = "{\"a\":" + "[".repeat(levels - 1) + "]".repeat(levels - 1) + "}";
    if (allowed) {
      assertThat(Document.of(Json.parse(json, Limits.COSMOS).bytes(), Limits.COSMOS)).isNotNull();
    } else {
      assertThat(refusal(json).reason()).isEqualTo(Reason.TOO_DEEP);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16 << 20, 20 << 20})
  void moreThanSixteenMebibytesAreTooLarge(int length) {
    assertThat(refusal("{\"a\":\"" + "x".repeat(length) + "\"}").reason())
        .isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  void anyDocumentIsWrittenAsJsonThatCanBeRead(Random random) throws IOException {
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 2_000; i++) {
      Document document = values.document(3);
      String text = Json.write(document);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Json.write(Value.of(document), out);
      assertThat(out.toByteArray())
          .isEqualTo(Json.bytes(document))
          .isEqualTo(text.getBytes(StandardCharsets.UTF_8));
      assertThat(Json.write(Json.parse(text, Limits.COSMOS))).isEqualTo(text);
    }
  }

  @Test
  void changedTextIsRefusedOrReadAsWhatIsWrittenAgain(Random random) {
    RandomValues values = new RandomValues(random);
    int read = 0;
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] json = changed(Json.bytes(values.document(3)), random);
      try {
        Document document = Json.parse(json, Limits.COSMOS);
        String again = Json.write(document);
        assertThat(Json.write(Json.parse(again, Limits.COSMOS))).isEqualTo(again);
        read++;
      } catch (ValueException notJson) {
        refused++;
      }
    }
    assertThat(read).isGreaterThan(100);
    assertThat(refused).isGreaterThan(1_000);
  }

  /** Some bytes put in, left out, turned round or repeated. */
  private static byte[] changed(byte[] json, Random random) {
    byte[] text = json.clone();
    String signs = "{}[]:,\"\\0123456789-+.eEtfnu \n\u00e4";
    for (int n = random.nextInt(3); n >= 0; n--) {
      int at = random.nextInt(text.length);
      switch (random.nextInt(4)) {
        case 0 -> text[at] = (byte) signs.charAt(random.nextInt(signs.length()));
        case 1 -> text[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> System.arraycopy(text, at, text, 0, text.length - at);
        default -> System.arraycopy(text, 0, text, at, text.length - at);
      }
    }
    return text;
  }

  private static ValueException refusal(String json) {
    return catchThrowableOfType(ValueException.class, () -> Json.parse(json, Limits.COSMOS));
  }
}

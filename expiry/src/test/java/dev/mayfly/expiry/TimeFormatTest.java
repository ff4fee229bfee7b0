package dev.mayfly.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeFormatTest {
  private static final long TIME = 1_700_000_000_123L;

  @Test
  void dateIsTheTimeOfADateOnly() {
    assertThat(TimeFormat.DATE.of(Value.date(TIME))).isEqualTo(TIME);
    assertThat(TimeFormat.DATE.of(Value.of(TIME))).isEqualTo(TimeFormat.NONE);
    assertThat(TimeFormat.DATE.of(Value.of("2023-11-14"))).isEqualTo(TimeFormat.NONE);
  }

  @Test
  void secondsAreAnyNumberRoundedToMilliseconds() {
    assertThat(TimeFormat.SECONDS.of(Value.of(1_700_000_000))).isEqualTo(1_700_000_000_000L);
    assertThat(TimeFormat.SECONDS.of(Value.of(1_700_000_000L))).isEqualTo(1_700_000_000_000L);
    assertThat(TimeFormat.SECONDS.of(Value.of(1_700_000_000.123))).isEqualTo(TIME);
    assertThat(TimeFormat.SECONDS.of(Value.decimal("1700000000.123"))).isEqualTo(TIME);
    assertThat(TimeFormat.SECONDS.of(Value.of(-1.5))).isEqualTo(-1500);
  }

  @Test
  void millisecondsAreAnyNumberWithoutItsFraction() {
    assertThat(TimeFormat.MILLISECONDS.of(Value.of(TIME))).isEqualTo(TIME);
    assertThat(TimeFormat.MILLISECONDS.of(Value.of((double) TIME + 0.5))).isEqualTo(TIME);
    assertThat(TimeFormat.MILLISECONDS.of(Value.of(7))).isEqualTo(7);
  }

  @Test
  void numbersOutOfRangeAreNoTime() {
    for (double wrong : List.of(Double.NaN, Double.POSITIVE_INFINITY, -1e300, 1e19)) {
      assertThat(TimeFormat.SECONDS.of(Value.of(wrong))).isEqualTo(TimeFormat.NONE);
      assertThat(TimeFormat.MILLISECONDS.of(Value.of(wrong))).isEqualTo(TimeFormat.NONE);
    }
    assertThat(TimeFormat.SECONDS.of(Value.of(Long.MIN_VALUE))).isEqualTo(TimeFormat.NONE);
    assertThat(TimeFormat.SECONDS.of(Value.of(Long.MAX_VALUE))).isEqualTo(TimeFormat.NONE);
  }

  @Test
  void objectIdHasTheSecondOfItsGeneration() {
    byte[] late = {(byte) 0xFF, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    assertThat(TimeFormat.OBJECT_ID.of(Value.objectId(late))).isEqualTo(0xFF000000L * 1000);
    assertThat(TimeFormat.OBJECT_ID.of(Value.of("6553f100Aabbccddeeff0011")))
        .isEqualTo(1_700_000_000_000L);
    for (String wrong :
        List.of("", "6553f100", "6553f100aabbccddeeff001g", "6553f100aabbccddeeff00112")) {
      assertThat(TimeFormat.OBJECT_ID.of(Value.of(wrong))).as(wrong).isEqualTo(TimeFormat.NONE);
    }
    assertThat(TimeFormat.OBJECT_ID.of(Value.date(TIME))).isEqualTo(TimeFormat.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "2023-11-14, 2023-11-14T00:00:00Z",
    "2023-11-14T22:13Z, 2023-11-14T22:13:00Z",
    "2023-11-14T22:13, 2023-11-14T22:13:00Z",
    "2023-11-14T22:13:20, 2023-11-14T22:13:20Z",
    "2023-11-14 22:13:20z, 2023-11-14T22:13:20Z",
    "2023-11-14t22:13:20.1Z, 2023-11-14T22:13:20.100Z",
    "'2023-11-14T22:13:20,123456789123Z', 2023-11-14T22:13:20.123Z",
    "2023-11-14T22:13:20.123+01, 2023-11-14T21:13:20.123Z",
    "2023-11-14T22:13:20+0130, 2023-11-14T20:43:20Z",
    "2023-11-14T22:13:20-05:30, 2023-11-15T03:43:20Z",
    "2016-12-31T23:59:60Z, 2017-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
    "2024-02-29, 2024-02-29T00:00:00Z",
    "0000-01-01, 0000-01-01T00:00:00Z",
  })
  void isoTimesAreRead(String text, String expected) {
    assertThat(TimeFormat.ISO_8601.of(Value.of(text)))
        .isEqualTo(Instant.parse(expected).toEpochMilli());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tomorrow",
        "2023",
        "2023-11",
        "20231114",
        "2023-1-14",
        "2023-13-01",
        "2023-02-29",
        "2023-11-00",
        "2023-11-14T",
        "2023-11-14T22",
        "2023-11-14T24:00Z",
        "2023-11-14T22:60Z",
        "2023-11-14T22:13:61Z",
        "2023-11-14T22:13:20.Z",
        "2023-11-14T22:13:20+",
        "2023-11-14T22:13:20+1",
        "2023-11-14T22:13:20+01:",
        "2023-11-14T22:13:20+24:00",
        "2023-11-14T22:13:20Z ",
        " 2023-11-14",
        "2023-11-14X22:13:20Z",
        "+2023-11-14",
        "2023-11-14T22:13:20\u0661Z",
        "\u0662023-11-14",
      })
  void otherTextsAreNoTime(String text) {
    assertThat(TimeFormat.ISO_8601.of(Value.of(text))).isEqualTo(TimeFormat.NONE);
  }

  @Test
  void isoTimesAgreeWithJava() {
    Random random = new Random(22);
    for (int i = 0; i < 2000; i++) {
      Instant time =
          Instant.ofEpochMilli(random.nextLong(-60_000_000_000_000L, 250_000_000_000_000L));
      ZoneOffset offset = ZoneOffset.ofTotalSeconds(random.nextInt(-1079, 1080) * 60);
      assertThat(TimeFormat.ISO_8601.of(Value.of(time.toString()))).isEqualTo(time.toEpochMilli());
      String text = OffsetDateTime.ofInstant(time, offset).toString();
      if (!text.startsWith("-") && !text.startsWith("+")) {
        assertThat(TimeFormat.ISO_8601.of(Value.of(text))).as(text).isEqualTo(time.toEpochMilli());
      }
    }
  }

  @Test
  void earliestTimeInAnArrayCounts() {
    Value times = Value.array(List.of(Value.of(9), Value.date(1), Value.of("x"), Value.of(7L)));
    Document document = Document.writer().put("a", times).build();
    EarliestDate seconds = EarliestDate.at(FieldPath.of("a"), TimeFormat.SECONDS);
    assertThat(seconds.of(document)).isEqualTo(7_000);
    assertThat(EarliestDate.at(FieldPath.of("a"), TimeFormat.ISO_8601).of(document))
        .isEqualTo(EarliestDate.NONE);
  }

  @Test
  void namesAreRead() {
    for (TimeFormat format : TimeFormat.values()) {
      assertThat(TimeFormat.named(format.code())).contains(format);
    }
    assertThat(TimeFormat.named("Date")).isEmpty();
  }
}

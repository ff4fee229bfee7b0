package dev.mayfly.cosmos.hybridrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows byte by byte. */
@ExtendWith(SeedExtension.class)
final class HybridRowTest {
  private static final String OPERATION = "81 7054e17f ";
  private static final String SEGMENT = "81 f0d8ff7f 01 0a000000 ";

  /** Fields 0, 1 and 4; read; of an item; an id of one letter. */
  private static final String READ = OPERATION + "13 02000000 02000000 01 61";

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void anOperationRowIsParsed() {
    String body = "{\"id\":\"a\",\"pk\":\"x\"}";
    Document create = OperationRow.read(bytes(OPERATION + "43 00000000 02000000 13 " + hex(body)));
    assertThat(create).hasToString("{\"operationType\":\"Create\",\"resourceBody\":" + body + "}");
    assertThat(OperationRow.read(bytes(READ)))
        .hasToString("{\"operationType\":\"Read\",\"id\":\"a\"}");
  }

  @Test
  void sparseFieldsOfAnOperationAreParsed() {
    String row =
        (OPERATION + "57 05000000 02000000 05 " + hex("[\"x\"]") + " 01 61 0a ")
            + (hex("{\"id\":\"a\"}") + " 14 09 03 " + hex("\"e\"") + " 03 0c");
    assertThat(OperationRow.read(bytes(row)))
        .hasToString(
            "{\"operationType\":\"Replace\",\"partitionKey\":\"[\\\"x\\\"]\",\"id\":\"a\","
                + "\"resourceBody\":{\"id\":\"a\"},\"ifMatch\":\"\\\"e\\\"\","
                + "\"minimalReturnPreference\":true}");
  }

  @Test
  void unknownFieldsAreSkipped() {
    String unknown = " 07 0f " + hex("ab") + " 2a000000 14 08 03 " + hex("abc") + " 02 0c";
    assertThat(OperationRow.read(bytes(READ + unknown)))
        .hasToString("{\"operationType\":\"Read\",\"id\":\"a\",\"minimalReturnPreference\":false}");
  }

  @Test
  void itemsInBinaryJsonAreRejected() {
    String row = OPERATION + "43 00000000 02000000 01 80";
    assertThatThrownBy(() -> OperationRow.read(bytes(row)))
        .isInstanceOf(CosmosException.class)
        .hasMessageContaining("binary JSON");
  }

  @Test
  void aResultRowIsWritten() {
    Document answer =
        Json.parse(
            "{\"statusCode\":201,\"requestCharge\":5.5,\"eTag\":\"\\\"e\\\"\","
                + "\"resourceBody\":{\"id\":\"a\"}}",
            Limits.COSMOS);
    assertThat(ResultRow.write(answer))
        .isEqualTo(
            bytes(
                ("81 7154e17f 0f c9000000 00000000 03 " + hex("\"e\"") + " 0a ")
                    + (hex("{\"id\":\"a\"}") + " 10 06 0000000000001640")));
  }

  @Test
  void aThrottledResultHasARetryTime() {
    Document answer =
        Json.parse(
            "{\"statusCode\":429,\"subStatusCode\":3200,\"requestCharge\":0,"
                + "\"retryAfterMilliseconds\":300,\"message\":\"later\"}",
            Limits.COSMOS);
    assertThat(ResultRow.write(answer))
        .isEqualTo(bytes("81 7154e17f 03 ad010000 800c0000 0b 05 2c010000 10 06 0000000000000000"));
  }

  @Test
  void aLongBodyHasALengthOfSeveralBytes() {
    String text = "x".repeat(300);
    Document answer =
        Document.writer()
            .put("statusCode", 200)
            .put("requestCharge", 1.0)
            .put("resourceBody", Document.writer().put("t", text).build())
            .build();
    assertThat(HexFormat.of().formatHex(ResultRow.write(answer))).contains("b402" + hex("{\"t\""));
  }

  @Test
  void recordsHaveLengthAndChecksum() {
    byte[] strung = bytes(SEGMENT + "81 f1d8ff7f 10000000 2022835e " + READ);
    assertThat(RecordIo.read(strung, 100)).containsExactly(bytes(READ));
    assertThat(RecordIo.write(List.of(bytes(READ)))).isEqualTo(strung);
  }

  @Test
  void aWrongChecksumIsRejected() {
    byte[] strung = bytes(SEGMENT + "81 f1d8ff7f 10000000 2122835e " + READ);
    assertThatThrownBy(() -> RecordIo.read(strung, 100)).hasMessageContaining("checksum");
  }

  @Test
  void corruptRowsNeverCauseAnInternalError(Random random) {
    String row = READ + " 14 09 03 " + hex("\"e\"") + " 03 0c";
    for (int i = 0; i < 2_000; i++) {
      byte[] changed = Arrays.copyOf(bytes(row), random.nextInt(bytes(row).length + 1));
      for (int flips = random.nextInt(3); flips > 0 && changed.length > 0; flips--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      assertThatCode(() -> tried(changed)).doesNotThrowAnyException();
      assertThat(refusedWhole(changed)).isTrue();
    }
  }

  private static void tried(byte[] row) {
    try {
      OperationRow.read(row);
    } catch (CosmosException | ValueException refusal) {
      assertThat(refusal).hasMessageMatching("(?s).+");
    }
  }

  /** No single row is a batch. */
  private static boolean refusedWhole(byte[] row) {
    try {
      return RecordIo.read(row, 100).isEmpty();
    } catch (CosmosException refusal) {
      return true;
    }
  }
}

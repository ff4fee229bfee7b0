package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mayfly.value.ValueException.Reason;
import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the border lets in. Each case is the bytes of one document in hex, a name being "a". */
@ExtendWith(SeedExtension.class)
final class StructureTest {
  private static final int LEVELS = 100_000;
  private static final Limits ANY_DEPTH = new Limits(16 << 20, Integer.MAX_VALUE);

  @ParameterizedTest
  @CsvSource({
    "empty, 0500000000",
    "double, 10000000 01 6100 000000000000f03f 00",
    "string, 0f000000 02 6100 03000000 c3a900 00",
    "empty string, 0d000000 02 6100 01000000 00 00",
    "string with NUL, 0f000000 02 6100 03000000 000000 00",
    "object, 0d000000 03 6100 0500000000 00",
    "array, 0d000000 04 6100 0500000000 00",
    "binary, 0e000000 05 6100 01000000 80 ff 00",
    "empty binary, 0d000000 05 6100 00000000 00 00",
    "old binary, 12000000 05 6100 05000000 02 01000000 ff 00",
    "undefined, 08000000 06 6100 00",
    "ObjectId, 14000000 07 6100 000102030405060708090a0b 00",
    "boolean, 09000000 08 6100 01 00",
    "date, 10000000 09 6100 0000000000000080 00",
    "null, 08000000 0a 6100 00",
    "empty name, 07000000 0a 00 00",
    "regex, 0c000000 0b 6100 6200 6900 00",
    "DBPointer, 1a000000 0c 6100 02000000 6200 000102030405060708090a0b 00",
    "code, 0e000000 0d 6100 02000000 6200 00",
    "symbol, 0e000000 0e 6100 02000000 6200 00",
    "code with scope, 17000000 0f 6100 0f000000 02000000 6200 0500000000 00",
    "int32, 0c000000 10 6100 01000000 00",
    "timestamp, 10000000 11 6100 0000000000000080 00",
    "int64, 10000000 12 6100 0000000000000080 00",
    "decimal, 18000000 13 6100 00000000000000000000000000000000 00",
    "MinKey, 08000000 ff 6100 00",
    "MaxKey, 08000000 7f 6100 00",
  })
  void everyTypeIsKnown(String what, String hex) {
    byte[] bytes = bytes(hex);
    assertThat(Document.of(bytes, Limits.MONGO).bytes()).as(what).isSameAs(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "no bytes, ''",
    "half a length, 0500",
    "length without terminator, 04000000",
    "no terminator, 0500000001",
    "negative length, ffffffff00",
    "length beyond the bytes, 0600000000",
    "bytes after the document, 050000000000",
    "terminator before the end, 0700000000 0000",
    "type without name, 06000000 0a 00",
    "name without terminator, 08000000 0a 616161",
    "unknown type, 08000000 14 6100 00",
    "type 0x80, 08000000 80 6100 00",
    "name that is not UTF-8, 08000000 0a ff00 00",
    "boolean 2, 09000000 08 6100 02 00",
    "boolean cut off, 08000000 08 6100 00",
    "int32 cut off, 0b000000 10 6100 010000 00",
    "double cut off, 0f000000 01 6100 00000000000000 00",
    "ObjectId cut off, 13000000 07 6100 0001020304050607080900 00",
    "decimal cut off, 17000000 13 6100 000000000000000000000000000000 00",
    "string of length 0, 0d000000 02 6100 00000000 00 00",
    "string of negative length, 0d000000 02 6100 ffffffff 00 00",
    "string of the smallest length, 0d000000 02 6100 00000080 00 00",
    "string beyond its document, 0d000000 02 6100 02000000 00 00",
    "string of the largest length, 0d000000 02 6100 ffffff7f 00 00",
    "string without terminator, 0e000000 02 6100 02000000 6162 00",
    "string with a lone continuation, 0e000000 02 6100 02000000 8000 00",
    "string with an overlong form, 0f000000 02 6100 03000000 c08000 00",
    "string with a surrogate, 10000000 02 6100 04000000 eda08000 00",
    "string above U+10FFFF, 11000000 02 6100 05000000 f490808000 00",
    "string with half a character, 0f000000 02 6100 03000000 e28200 00",
    "object beyond its parent, 0d000000 03 6100 0600000000 00",
    "object shorter than any, 0d000000 03 6100 0400000000 00",
    "object of negative length, 0d000000 03 6100 fbffffff00 00",
    "object without terminator, 0d000000 03 6100 0500000001 00",
    "object that swallows the end, 0c000000 03 6100 0500000000",
    "binary of negative length, 0d000000 05 6100 ffffffff 00 00",
    "binary beyond its document, 0d000000 05 6100 01000000 00 00",
    "old binary without inner length, 0d000000 05 6100 00000000 02 00",
    "old binary with another inner length, 12000000 05 6100 05000000 02 02000000 ff 00",
    "regex without options, 0a000000 0b 6100 6200",
    "regex that is not UTF-8, 0c000000 0b 6100 ff00 6900 00",
    "DBPointer cut off, 19000000 0c 6100 02000000 6200 000102030405060708090a 00",
    "code with scope too short, 17000000 0f 6100 0e000000 02000000 6200 0500000000 00",
    "code with scope too long, 18000000 0f 6100 10000000 02000000 6200 0500000000 0000",
    "code with negative length, 17000000 0f 6100 ffffffff 02000000 6200 0500000000 00",
    "code with scope of length 0, 17000000 0f 6100 00000000 02000000 6200 0500000000 00",
    "code that swallows its scope, 17000000 0f 6100 0f000000 07000000 6200 0500000000 00",
  })
  void whatIsMalformedIsRefused(String what, String hex) {
    assertThat(refusal(bytes(hex), Limits.MONGO)).as(what).isEqualTo(Reason.MALFORMED);
  }

  @Test
  void everyTruncationIsRefused(Random random) {
    for (int i = 0; i < 200; i++) {
      byte[] whole = new RandomValues(random).document(3).bytes();
      for (int length = 0; length < whole.length; length++) {
        assertThat(refusal(Arrays.copyOf(whole, length), Limits.MONGO)).isEqualTo(Reason.MALFORMED);
      }
    }
  }

  @Test
  void aDamagedDocumentIsEitherRefusedOrReadableToItsLastByte(Random random) {
    int readable = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new RandomValues(random).document(3).bytes().clone();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      try {
        Document document = Document.of(bytes, Limits.MONGO);
        ExtendedJson.canonical(document);
        assertThat(Order.MONGO.compare(Value.of(document), Value.of(document))).isZero();
        readable++;
      } catch (ValueException e) {
        assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
      }
    }
    assertThat(readable).isBetween(1, 19_999);
  }

  @Test
  void depthIsLimitedWithoutUsingTheStack() {
    byte[] deep = nested(LEVELS);
    assertThat(refusal(deep, Limits.MONGO)).isEqualTo(Reason.TOO_DEEP);
    assertThat(Document.of(deep, ANY_DEPTH).length()).isEqualTo(deep.length);
  }

  @Test
  void theLimitItselfIsAllowed() {
    assertThat(Document.of(nested(180), Limits.MONGO).isEmpty()).isFalse();
    assertThat(refusal(nested(181), Limits.MONGO)).isEqualTo(Reason.TOO_DEEP);
    byte[] five = Document.EMPTY.bytes();
    assertThat(Document.of(five, new Limits(5, 1)).isEmpty()).isTrue();
    assertThat(refusal(nested(2), new Limits(12, 2))).isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  void moreThanSixteenMebibytesAreTooLarge() {
    byte[] bytes = new byte[(16 << 20) + 1];
    LittleEndian.int32(bytes, 0, bytes.length);
    assertThat(refusal(bytes, Limits.MONGO)).isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  void aSliceIsCheckedWithinItsBounds() {
    byte[] buffer = bytes("ff 08000000 0a 6100 00 ff");
    Document slice = Document.of(buffer, 1, 10, Limits.MONGO);
    assertThat(slice.field("a").isNull()).isTrue();
    assertThat(slice.bytes()).isEqualTo(bytes("08000000 0a 6100 00"));
    ValueException cut =
        catchThrowableOfType(ValueException.class, () -> Document.of(buffer, 1, 8, Limits.MONGO));
    assertThat(cut.reason()).isEqualTo(Reason.MALFORMED);
    assertThat(cut.position()).isEqualTo(1);
  }

  private static byte[] nested(int levels) {
    int header = 7;
    byte[] bytes = new byte[header * (levels - 1) + 5 + levels - 1];
    for (int i = 0; i < levels; i++) {
      LittleEndian.int32(bytes, header * i, bytes.length - (header + 1) * i);
      if (i < levels - 1) {
        bytes[header * i + 4] = Type.ARRAY.code();
        bytes[header * i + 5] = '0';
      }
    }
    return bytes;
  }

  private static Reason refusal(byte[] bytes, Limits limits) {
    return catchThrowableOfType(ValueException.class, () -> Document.of(bytes, limits)).reason();
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}

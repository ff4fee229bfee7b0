package dev.mayfly.expiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.value.testing.SeedExtension;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class HeaderTest {
  private static final int AT = 3;

  private final byte[] buffer = new byte[Header.MAX_LENGTH + 2 * AT];

  @Test
  void headerIsReadAsItWasWritten(Random random) {
    for (int i = 0; i < 20_000; i++) {
      long sequence = random.nextLong() >>> (1 + random.nextInt(62));
      long born = sequence == 0 ? 0 : random.nextLong(sequence + 1);
      long writtenAt = random.nextLong() >> (16 + random.nextInt(40));
      int ttl = ttl(random);
      Map<Integer, Long> places = places(random);
      HeaderFields life = new HeaderFields().begin(sequence, born, writtenAt, ttl);
      places.forEach(life::place);
      boolean covers = random.nextBoolean();
      int end = Header.write(life, covers, buffer, AT);
      assertThat(Header.length(buffer, AT)).isEqualTo(end - AT);
      assertThat(Header.bound(buffer[AT])).isBetween(end - AT, Header.MAX_LENGTH);
      assertThat(end - AT).isGreaterThanOrEqualTo(Header.MIN_LENGTH);
      assertThat(Header.sequence(buffer, AT)).isEqualTo(sequence);
      assertThat(Header.born(buffer, AT)).isEqualTo(born);
      assertThat(Header.writtenAt(buffer, AT)).isEqualTo(writtenAt);
      assertThat(Header.ttl(buffer, AT)).isEqualTo(ttl);
      assertThat(Header.coversWrite(buffer, AT)).isEqualTo(covers);
      assertPlaces(writtenAt, ttl, places);
    }
  }

  private static int ttl(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> HeaderFields.NO_TTL;
      case 1 -> HeaderFields.NEVER;
      case 2 -> Integer.MAX_VALUE;
      default -> 1 + random.nextInt(1000);
    };
  }

  private static Map<Integer, Long> places(Random random) {
    Map<Integer, Long> places = new TreeMap<>();
    for (int count = random.nextInt(5) * random.nextInt(8); count > 0; count--) {
      places.put(Lane.FIRST_EXPLICIT + random.nextInt(60_000), random.nextLong());
    }
    places.values().remove(Header.NO_PLACE);
    return places;
  }

  private void assertPlaces(long writtenAt, int ttl, Map<Integer, Long> places) {
    long second = Math.floorDiv(writtenAt, 1000L) * 1000;
    assertThat(Header.place(buffer, AT, Lane.INHERITED))
        .isEqualTo(ttl == HeaderFields.NO_TTL ? second : Header.NO_PLACE);
    assertThat(Header.place(buffer, AT, Lane.OWN))
        .isEqualTo(ttl > 0 ? second + ttl * 1000L : Header.NO_PLACE);
    places.forEach((lane, place) -> assertThat(Header.place(buffer, AT, lane)).isEqualTo(place));
    assertThat(Header.place(buffer, AT, 65_000)).isEqualTo(Header.NO_PLACE);
  }

  @Test
  void missingPlaceIsNotStored() {
    HeaderFields without = new HeaderFields().begin(7, 7, 1000, HeaderFields.NO_TTL);
    int length = Header.write(without, true, buffer, 0);
    HeaderFields with =
        new HeaderFields().begin(7, 7, 1000, HeaderFields.NO_TTL).place(5, Header.NO_PLACE);
    assertThat(Header.write(with, true, buffer, 0)).isEqualTo(length);
  }

  @Test
  void bytesAfterThePlacesAreNotAPlace() {
    byte[] header =
        header(new HeaderFields().begin(0xFF, 0xFF - 0x81, 1_000, HeaderFields.NO_TTL), true);
    byte[] entry = Arrays.copyOf(header, header.length + Long.BYTES);
    assertThat(Header.place(entry, 0, 0x8101)).isEqualTo(Header.NO_PLACE);
  }

  @Test
  void tooManyPlacesAreRejected() {
    HeaderFields life = new HeaderFields().begin(7, 7, 1000, HeaderFields.NO_TTL);
    for (int i = 0; i < Header.MAX_PLACES; i++) {
      life.place(Lane.FIRST_EXPLICIT + i, i);
    }
    assertThat(Header.write(life, true, buffer, 0)).isLessThanOrEqualTo(Header.MAX_LENGTH);
    assertThatThrownBy(() -> life.place(100, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void sameExpiryIgnoresTheSequence() {
    byte[] first = header(new HeaderFields().begin(7, 5, 1_000, 9).place(4, 3), true);
    assertThat(
            Header.sameExpiry(
                first, header(new HeaderFields().begin(8, 5, 1_999, 9).place(4, 3), true)))
        .isTrue();
    assertThat(
            Header.sameExpiry(
                first, header(new HeaderFields().begin(8, 5, 2_000, 9).place(4, 3), true)))
        .isFalse();
    assertThat(
            Header.sameExpiry(
                first, header(new HeaderFields().begin(8, 5, 2_000, 9).place(4, 3), false)))
        .isTrue();
    assertThat(
            Header.sameExpiry(
                first, header(new HeaderFields().begin(8, 5, 1_000, 8).place(4, 3), true)))
        .isFalse();
    assertThat(
            Header.sameExpiry(
                first, header(new HeaderFields().begin(8, 5, 1_000, 9).place(4, 2), true)))
        .isFalse();
    assertThat(
            Header.sameExpiry(
                first, header(new HeaderFields().begin(8, 6, 1_000, 9).place(4, 3), true)))
        .isFalse();
  }

  @Test
  void neverExpiringDiffersFromInheriting() {
    byte[] never = header(new HeaderFields().begin(7, 5, 1_000, HeaderFields.NEVER), true);
    assertThat(
            Header.sameExpiry(
                never, header(new HeaderFields().begin(8, 5, 1_000, HeaderFields.NO_TTL), true)))
        .isFalse();
    assertThat(
            Header.sameExpiry(
                never, header(new HeaderFields().begin(8, 5, 1_000, HeaderFields.NEVER), true)))
        .isTrue();
  }

  @Test
  void coversWriteCanBeCleared() {
    byte[] header = header(new HeaderFields().begin(7, 5, 1_000, 9), true);
    assertThat(Header.coversWrite(Header.uncovered(header), 0)).isFalse();
    assertThat(Header.ttl(header, 0)).isEqualTo(9);
  }

  private byte[] header(HeaderFields life, boolean covers) {
    return Arrays.copyOf(buffer, Header.write(life, covers, buffer, 0));
  }
}

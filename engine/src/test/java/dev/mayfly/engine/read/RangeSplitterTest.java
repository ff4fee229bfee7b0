package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.store.Range;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class RangeSplitterTest {
  @Test
  void everyKeyIsInOnePiece(Random random) {
    for (int i = 0; i < 500; i++) {
      byte[] one = key(random);
      byte[] other = key(random);
      boolean ascending = Arrays.compareUnsigned(one, other) <= 0;
      byte[] first = ascending ? one : other;
      byte[] last = ascending ? other : one;
      List<Range> pieces = RangeSplitter.of(Range.from(first), first, last, 1 + random.nextInt(9));
      assertThat(pieces.getFirst().from()).isEqualTo(first);
      assertThat(pieces.getLast().to()).isNull();
      for (int k = 0; k < 50; k++) {
        byte[] key = key(random);
        boolean inside = Arrays.compareUnsigned(key, first) >= 0;
        assertThat(pieces.stream().filter(piece -> piece.contains(key)).count())
            .isEqualTo(inside ? 1 : 0);
      }
    }
  }

  @Test
  void bordersAreWhereKeysDiffer() {
    byte[] first = "order-0000".getBytes(StandardCharsets.UTF_8);
    byte[] last = "order-0999".getBytes(StandardCharsets.UTF_8);
    List<Range> pieces = RangeSplitter.of(Range.of(first, key("p")), first, last, 9);
    assertThat(pieces).hasSize(9);
    for (int i = 0; i < 9; i++) {
      assertThat(pieces.get(i).contains(key("order-0" + i + i + i + "!"))).isTrue();
    }
    assertThat(pieces.getLast().to()).isEqualTo(key("p"));
  }

  @Test
  void singleKeyIsOnePiece() {
    byte[] only = key("a");
    assertThat(RangeSplitter.of(Range.from(only), only, only, 8)).hasSize(1);
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Keys of few different bytes, so that they share long prefixes. */
  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(12)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) new int[] {0, 1, 0x7F, 0x80, 0xFF}[random.nextInt(5)];
    }
    return key;
  }
}

package dev.mayfly.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.testing.SeedExtension;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class TreapTest {
  @Test
  void behavesAsASortedMapWhateverIsDoneToIt(Random random) {
    TreeMap<byte[], byte[]> oracle = new TreeMap<>(Arrays::compareUnsigned);
    Treap treap = Treap.EMPTY;
    for (int i = 0; i < 1_000; i++) {
      byte[] key = key(random);
      switch (random.nextInt(10)) {
        case 0 -> {
          byte[] to = key(random);
          treap = treap.deleteRange(Range.of(key, to));
          if (Arrays.compareUnsigned(key, to) < 0) {
            oracle.subMap(key, to).clear();
          }
        }
        case 1, 2 -> {
          treap = treap.delete(key);
          oracle.remove(key);
        }
        default -> {
          byte[] value = key(random);
          treap = treap.put(key, value);
          oracle.put(key, value);
        }
      }
      assertSame(treap, oracle);
    }
  }

  @Test
  void aChangeLeavesTheMapBeforeItAlone() {
    byte[] key = {1};
    Treap before = Treap.EMPTY.put(key, new byte[] {1});
    Treap after = before.put(key, new byte[] {2});

    assertThat(before.find(key)).extracting(Treap.Node::value).isEqualTo(new byte[] {1});
    assertThat(after.find(key)).extracting(Treap.Node::value).isEqualTo(new byte[] {2});
  }

  @Test
  void sequentialKeysDoNotMakeItDeep() {
    Treap treap = Treap.EMPTY;
    for (int i = 0; i < 200_000; i++) {
      treap = treap.put(new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i}, new byte[0]);
    }
    // A degenerate tree would have overflown the stack long before.
    assertThat(treap.without(_ -> true).bytes()).isZero();
  }

  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(3)];
    random.nextBytes(key);
    return key;
  }

  private static void assertSame(Treap treap, Map<byte[], byte[]> oracle) {
    StringBuilder expected = new StringBuilder();
    oracle.forEach((key, value) -> expected.append(text(key, value)));
    StringBuilder actual = new StringBuilder();
    for (var node = treap.above(null, true); node != null; node = treap.above(node.key(), false)) {
      actual.append(text(node.key(), node.value()));
    }
    assertThat(actual.toString()).isEqualTo(expected.toString());
    assertThat(treap.bytes())
        .isEqualTo(oracle.entrySet().stream().mapToInt(TreapTest::weight).sum());
  }

  private static int weight(Map.Entry<byte[], byte[]> entry) {
    return entry.getKey().length + entry.getValue().length;
  }

  private static String text(byte[] key, byte[] value) {
    return HexFormat.of().formatHex(key) + "=" + HexFormat.of().formatHex(value) + " ";
  }
}

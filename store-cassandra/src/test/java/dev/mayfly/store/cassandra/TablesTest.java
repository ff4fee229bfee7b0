package dev.mayfly.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.store.cassandra.Tables.LeafRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values of several parts. */
class TablesTest {
  private static LeafRow first(int parts, long writer, String text) {
    return new LeafRow(
        new byte[] {1},
        0,
        ByteBuffer.allocate(12 + text.length())
            .putInt(parts)
            .putLong(writer)
            .put(text.getBytes(StandardCharsets.US_ASCII))
            .array());
  }

  private static LeafRow part(int number, long writer, String text) {
    return new LeafRow(
        new byte[] {1},
        number,
        ByteBuffer.allocate(8 + text.length())
            .putLong(writer)
            .put(text.getBytes(StandardCharsets.US_ASCII))
            .array());
  }

  @Test
  void partsOfOneWriteAreJoined() {
    assertThat(Tables.value(List.of(first(2, 7, "ab"), part(1, 7, "cd"))))
        .asString()
        .isEqualTo("abcd");
  }

  @Test
  void laterPartsOfAnOlderAndLongerValueAreIgnored() {
    assertThat(Tables.value(List.of(first(2, 7, "ab"), part(1, 7, "cd"), part(2, 5, "old"))))
        .asString()
        .isEqualTo("abcd");
  }

  @Test
  void partsOfTwoWritesAreNoValue() {
    assertThat(Tables.value(List.of(first(2, 7, "ab"), part(1, 5, "cd")))).isNull();
    assertThat(Tables.value(List.of(first(2, 7, "ab")))).isNull();
    assertThat(Tables.value(List.of(part(1, 7, "cd")))).isNull();
  }
}

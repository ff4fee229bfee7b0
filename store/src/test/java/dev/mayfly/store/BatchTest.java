package dev.mayfly.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BatchTest {
  @Test
  void operationsOfAnotherBatchFollowItsOwn() {
    Batch first = new Batch().put(Space.RECORDS, new byte[] {1}, new byte[] {2});
    Batch second =
        new Batch()
            .delete(Space.META, new byte[] {3})
            .put(Space.QUEUES, new byte[] {4}, new byte[0]);
    Batch expected =
        new Batch()
            .put(Space.RECORDS, new byte[] {1}, new byte[] {2})
            .delete(Space.META, new byte[] {3})
            .put(Space.QUEUES, new byte[] {4}, new byte[0]);
    Batch both = first.addAll(second);
    assertThat(both.operations()).isEqualTo(3);
    assertThat(both.bytes()).isEqualTo(expected.bytes());
    assertThat(text(both)).isEqualTo(text(expected));
  }

  @Test
  void replaysItsOperationsInOrder() {
    Batch batch =
        new Batch()
            .put(Space.RECORDS, new byte[] {1, 2}, new byte[] {3})
            .delete(Space.META, new byte[] {4})
            .deleteRange(Space.QUEUES, new byte[] {5}, new byte[] {6})
            .deleteRange(Space.ENTRIES, Range.all())
            .put(Space.META, new byte[0], new byte[0]);

    assertThat(text(batch))
        .containsExactly(
            "put RECORDS 0102=03",
            "delete META 04",
            "deleteRange QUEUES 05-06",
            "deleteRange ENTRIES -open",
            "put META =");
    assertThat(batch.operations()).isEqualTo(5);
  }

  @Test
  void takesSlicesOfArrays() {
    byte[] array = {0, 1, 2, 3, 4};
    Batch batch =
        new Batch().put(Space.META, array, 1, 2, array, 3, 1).delete(Space.META, array, 4, 1);

    assertThat(text(batch)).containsExactly("put META 0102=03", "delete META 04");
  }

  @Test
  void growsAsNeeded() {
    Batch batch = new Batch(0);
    for (int i = 0; i < 100; i++) {
      batch.put(Space.RECORDS, new byte[i], new byte[i * 100]);
    }

    assertThat(text(batch)).hasSize(100).last().asString().hasSize(14 + 2 * 99 + 1 + 2 * 9_900 - 2);
  }

  @Test
  void isEmptyAfterClear() {
    Batch batch = new Batch().put(Space.META, new byte[1], new byte[1]).clear();

    assertThat(batch.isEmpty()).isTrue();
    assertThat(batch.bytes()).isZero();
    assertThat(text(batch)).isEmpty();
  }

  @Test
  void refusesWhatIsTooLargeAndStaysAsItWas() {
    Batch batch = new Batch().delete(Space.META, new byte[] {1});
    byte[] largestKey = new byte[Batch.MAX_KEY_BYTES];
    byte[] tooLarge = new byte[Batch.MAX_KEY_BYTES + 1];

    assertThatThrownBy(() -> batch.put(Space.META, tooLarge, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> batch.delete(Space.META, tooLarge))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> batch.put(Space.META, new byte[0], new byte[Batch.MAX_VALUE_BYTES + 1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(text(batch)).containsExactly("delete META 01");
    assertThat(batch.delete(Space.META, largestKey).operations()).isEqualTo(2);
  }

  private static List<String> text(Batch batch) {
    List<String> operations = new ArrayList<>();
    batch.replay(
        new Batch.Visitor() {
          @Override
          public void put(Space space, byte[] bytes, int key, int length, int value, int size) {
            operations.add(
                "put " + space + " " + hex(bytes, key, length) + "=" + hex(bytes, value, size));
          }

          @Override
          public void delete(Space space, byte[] bytes, int key, int length) {
            operations.add("delete " + space + " " + hex(bytes, key, length));
          }

          @Override
          public void deleteRange(
              Space space, byte[] bytes, int from, int fromLength, int to, int toLength) {
            String end = toLength < 0 ? "open" : hex(bytes, to, toLength);
            operations.add("deleteRange " + space + " " + hex(bytes, from, fromLength) + "-" + end);
          }
        });
    return operations;
  }

  private static String hex(byte[] bytes, int offset, int length) {
    return HexFormat.of().formatHex(Arrays.copyOfRange(bytes, offset, offset + length));
  }
}

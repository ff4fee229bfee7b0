package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mayfly.value.ValueException.Reason;
import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class DocumentWriterTest {
  @Test
  void whateverIsWrittenPassesTheCheck(Random random) {
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 5_000; i++) {
      Document document = values.document(4);
      assertThat(Document.of(document.bytes(), Limits.MONGO)).isEqualTo(document);
    }
  }

  @Test
  void copyingElementByElementGivesTheSameBytes(Random random) {
    RandomValues values = new RandomValues(random);
    DocumentWriter writer = Document.writer();
    for (int i = 0; i < 2_000; i++) {
      Document document = values.document(3);
      writer.clear();
      Fields fields = document.fields();
      while (fields.next()) {
        if (random.nextBoolean()) {
          writer.put(fields);
        } else {
          writer.put(fields.name(), fields.value());
        }
      }
      assertThat(writer.build()).isEqualTo(document);
    }
  }

  @Test
  void elementsOfAnArrayAreNamedByTheirPlace() {
    DocumentWriter writer = Document.writer().startArray("a");
    for (int i = 0; i < 1_001; i++) {
      writer.add(i % 2 == 0 ? Value.of(i) : Value.array(Document.EMPTY));
    }
    Document array = writer.end().build().field("a").asDocument();
    for (int i : new int[] {0, 9, 10, 99, 100, 999, 1_000}) {
      assertThat(array.field(Integer.toString(i)))
          .isEqualTo(i % 2 == 0 ? Value.of(i) : Value.array(Document.EMPTY));
    }
  }

  @Test
  void missingValuesLeaveNoTrace() {
    Document document =
        Document.writer()
            .put("a", Value.MISSING)
            .startArray("b")
            .add(Value.MISSING)
            .add(Value.NULL)
            .end()
            .build();
    assertThat(document).hasToString("{\"b\":[null]}");
  }

  @Test
  void aNameCannotHoldNul() {
    assertThat(refusal(() -> Document.writer().put("a\0", 1))).isEqualTo(Reason.MALFORMED);
  }

  @Test
  void moreThanAServerCanSendIsRefused() {
    Value mebibyte = Value.binary((byte) 0, new byte[1 << 20]);
    DocumentWriter writer = Document.writer();
    for (int i = 0; i < 16; i++) {
      writer.add(mebibyte);
    }
    assertThat(refusal(() -> writer.add(mebibyte))).isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  void startsAndEndsMustMatch() {
    assertThatIllegalStateException().isThrownBy(() -> Document.writer().end());
    assertThatIllegalStateException()
        .isThrownBy(() -> Document.writer().startDocument("a").build());
    DocumentWriter built = Document.writer();
    assertThat(built.build()).isEqualTo(Document.EMPTY);
    assertThatIllegalStateException().isThrownBy(built::build);
    assertThat(built.clear().put("a", 1).build().field("a").asInt()).isEqualTo(1);
  }

  @Test
  void roomInFrontIsLeftForWhoSends() {
    DocumentWriter writer = Document.writerBehind(7);
    writer.put("dropped", "x".repeat(1000)).clear().put("a", 1);
    int end = writer.finish();
    Document sent = Document.of(writer.buffer(), 7, end, Limits.MONGO);
    assertThat(sent).isEqualTo(Document.writer().put("a", 1).build());
    assertThat(7 + sent.length()).isEqualTo(end);
    assertThat(writer.clear().put("b", 2).build().field("b").asInt()).isEqualTo(2);
  }

  private static Reason refusal(ThrowingCallable call) {
    return catchThrowableOfType(ValueException.class, call).reason();
  }
}

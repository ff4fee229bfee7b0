package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class ExcerptTest {
  @Test
  void onlyWhatIsWantedIsLeft() {
    Document document = Document.writer().put("a", 1).put("b", "two").put("c", 3).build();
    assertThat(excerpt(document, Set.of("b"), 0))
        .isEqualTo(Document.writer().put("b", "two").build());
    assertThat(excerpt(document, Set.of("d"), 0)).isEqualTo(Document.EMPTY);
    assertThat(excerpt(document, Set.of(), 0)).isEqualTo(Document.EMPTY);
    assertThat(excerpt(document, Set.of("a", "b", "c", "d"), 0).length())
        .isEqualTo(document.length());
  }

  @Test
  void whatStandsInFrontStays() {
    byte[] record = new byte[100];
    Arrays.fill(record, (byte) 7);
    byte[] document = Document.writer().put("a", 1).build().bytes();
    System.arraycopy(document, 0, record, 100 - document.length, document.length);
    byte[] excerpt =
        new Excerpt(List.of("b")).of(MemorySegment.ofArray(record), 100 - document.length);
    assertThat(Arrays.copyOf(excerpt, 100 - document.length)).containsOnly(7);
    assertThat(Document.trusted(excerpt, 100 - document.length)).isEqualTo(Document.EMPTY);
  }

  @Test
  void ofFieldsWithOneNameTheFirstIsTaken() {
    Document twice = Document.writer().put("a", 1).put("b", 2).put("a", 3).build();
    assertThat(excerpt(twice, Set.of("a", "z"), 0))
        .isEqualTo(Document.writer().put("a", 1).build());
  }

  @Test
  void anyFieldsOfAnyDocumentAreFound(Random random) {
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 2000; i++) {
      Document document = values.document(3);
      Set<String> wanted = new HashSet<>(Set.of("absent"));
      Fields fields = document.fields();
      while (fields.next()) {
        if (random.nextBoolean()) {
          wanted.add(fields.name());
        }
      }
      Document excerpt = excerpt(document, wanted, random.nextInt(20));
      assertThat(Document.of(excerpt.bytes(), Limits.MONGO)).isEqualTo(excerpt);
      fields = document.fields();
      while (fields.next()) {
        Value expected =
            wanted.contains(fields.name()) ? document.field(fields.name()) : Value.MISSING;
        assertThat(excerpt.field(fields.name())).isEqualTo(expected);
      }
    }
  }

  /** From memory that is gone afterwards. */
  private static Document excerpt(Document document, Set<String> wanted, int front) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(front + (long) document.length());
      MemorySegment.copy(
          document.bytes(), 0, memory, ValueLayout.JAVA_BYTE, front, document.length());
      return Document.trusted(new Excerpt(wanted).of(memory, front), front);
    }
  }
}

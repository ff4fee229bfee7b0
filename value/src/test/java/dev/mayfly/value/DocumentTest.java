package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class DocumentTest {
  private static final Document PERSON =
      Document.writer()
          .put("name", "Ada")
          .put("äge", 36)
          .startArray("tags")
          .add(Value.of("x"))
          .startDocument()
          .put("deep", 7L)
          .end()
          .end()
          .startDocument("home")
          .put("0", true)
          .end()
          .build();

  @Test
  void aWrittenDocumentPassesItsOwnCheck() {
    assertThat(Document.of(PERSON.bytes(), Limits.MONGO)).isEqualTo(PERSON);
  }

  @Test
  void fieldsAreFoundByName() {
    assertThat(PERSON.field("name").asString()).isEqualTo("Ada");
    assertThat(PERSON.field("äge").asInt()).isEqualTo(36);
    assertThat(PERSON.field("nam")).isEqualTo(Value.MISSING);
    assertThat(PERSON.field("names")).isEqualTo(Value.MISSING);
  }

  @Test
  void pathsLeadIntoObjectsByNameAndIntoArraysByPlace() {
    assertThat(PERSON.at(FieldPath.of("tags.0")).asString()).isEqualTo("x");
    assertThat(PERSON.at(FieldPath.of("tags.1.deep")).asLong()).isEqualTo(7);
    assertThat(PERSON.at(FieldPath.of("home.0")).asBoolean()).isTrue();
    assertThat(PERSON.at(FieldPath.of("tags.deep")).isMissing()).isTrue();
    assertThat(PERSON.at(FieldPath.of("tags.2")).isMissing()).isTrue();
    assertThat(PERSON.at(FieldPath.of("name.0")).isMissing()).isTrue();
  }

  @Test
  void theEmptyPathLeadsToTheDocumentItself() {
    assertThat(PERSON.at(FieldPath.of(List.of()))).isEqualTo(Value.of(PERSON));
  }

  @Test
  void theFirstOfSeveralFieldsWithOneNameIsFound() {
    Document twice = Document.writer().put("a", 1).put("a", 2).build();
    assertThat(twice.field("a").asInt()).isEqualTo(1);
    assertThat(twice.field(new byte[] {'a'}).asInt()).isEqualTo(1);
  }

  @Test
  void namesAreComparedAsTheyAreStored(Random random) {
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 20_000; i++) {
      String stored = values.text().replace("\0", "");
      String name = values.text().replace("\0", "");
      Document document = Document.writer().put(stored, true).build();
      assertThat(document.field(name).isMissing()).isEqualTo(!name.equals(stored));
      byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
      assertThat(document.field(utf8).isMissing()).isEqualTo(!name.equals(stored));
    }
  }

  @Test
  void aCursorTellsWhereEverythingLies() {
    Fields fields = PERSON.fields();
    assertThat(fields.type()).isEqualTo(Type.MISSING);
    assertThat(fields.next()).isTrue();
    assertThat(fields.type()).isEqualTo(Type.STRING);
    assertThat(fields.name()).isEqualTo("name");
    assertThat(fields.named("name") && fields.named(new byte[] {'n', 'a', 'm', 'e'})).isTrue();
    assertThat(fields.nameOffset()).isEqualTo(5);
    assertThat(fields.nameLength()).isEqualTo(4);
    assertThat(fields.valueOffset()).isEqualTo(10);
    assertThat(fields.valueLength()).isEqualTo(8);
    fields.reset(Document.EMPTY.buffer(), Document.EMPTY.offset());
    assertThat(fields.next()).isFalse();
    assertThat(fields.next()).isFalse();
  }

  @Test
  void aSliceEqualsTheSameBytesElsewhere() {
    Document inner = PERSON.field("home").asDocument();
    Document copy = Document.trusted(inner.bytes());
    assertThat(inner).isEqualTo(copy).hasSameHashCodeAs(copy).isNotEqualTo(PERSON);
    assertThat(inner.offset()).isPositive();
    assertThat(inner).hasToString("{\"0\":true}");
  }
}

package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
  void keysSortAsTheOrderDoes() {
    Value[] ascending = {
      Value.MISSING, Value.NULL, Value.of(Double.NaN), Value.of(-1), Value.of(1L), Value.of(1.5)
    };
    for (int i = 1; i < ascending.length; i++) {
      assertThat(key(ascending[i])).isGreaterThan(key(ascending[i - 1]));
      assertThat(Order.MONGO.compare(ascending[i], ascending[i - 1])).isPositive();
    }
  }

  private static String key(Value value) {
    return java.util.HexFormat.of().formatHex(new KeyWriter().append(value, Order.MONGO).bytes());
  }
}

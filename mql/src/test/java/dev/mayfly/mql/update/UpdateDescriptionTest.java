package dev.mayfly.mql.update;

import static dev.mayfly.query.testing.Docs.arr;
import static dev.mayfly.query.testing.Docs.doc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class UpdateDescriptionTest {
  @Test
  void namesWhatIsNewChangedAndGone() {
    UpdateDescription description =
        between(doc("a", 1, "b", 2, "c", 3), doc("a", 1, "b", 5, "d", 4));
    assertThat(description.updatedFields()).isEqualTo(doc("b", 5, "d", 4));
    assertThat(description.removedFields()).containsExactly("c");
    assertThat(description.truncatedArrays()).isEmpty();
  }

  @Test
  void looksIntoObjectsAndArrays() {
    UpdateDescription description =
        between(
            doc("a", doc("x", 1, "y", 2), "b", arr(1, doc("z", 1), 3)),
            doc("a", doc("x", 1, "y", 3), "b", arr(1, doc("z", 2), 3, 4)));
    assertThat(description.updatedFields()).isEqualTo(doc("a.y", 3, "b.1.z", 2, "b.3", 4));
  }

  @Test
  void tellsAShorterArrayByItsNewSize() {
    UpdateDescription description = between(doc("a", arr(1, 2, 3)), doc("a", arr(1, 5)));
    assertThat(description.toDocument(false))
        .isEqualTo(
            doc(
                "updatedFields",
                doc("a.1", 5),
                "removedFields",
                arr(),
                "truncatedArrays",
                arr(doc("field", "a", "newSize", 2))));
  }

  @Test
  void aValueOfAnotherKindIsNewAsAWhole() {
    assertThat(between(doc("a", doc("x", 1)), doc("a", arr(1))).updatedFields())
        .isEqualTo(doc("a", arr(1)));
    assertThat(between(doc("a", 1), doc("a", 1.0)).updatedFields()).isEqualTo(doc("a", 1.0));
  }

  @Test
  void whatIsSetAsAWholeIsToldSo() {
    UpdateDescription description =
        UpdateDescription.between(
            doc("a", doc("x", doc("y", 1, "z", 2)), "b", arr(1, 2, 3), "c", arr(1)),
            doc("a", doc("x", doc("y", 1, "z", 3)), "b", arr(1, 2), "c", arr(1, 2)),
            Set.of("a.x", "b"));
    assertThat(description.updatedFields())
        .isEqualTo(doc("a.x", doc("y", 1, "z", 3), "b", arr(1, 2), "c.1", 2));
    assertThat(description.truncatedArrays()).isEmpty();
  }

  private static UpdateDescription between(Document before, Document after) {
    return UpdateDescription.between(before, after, Set.of());
  }
}

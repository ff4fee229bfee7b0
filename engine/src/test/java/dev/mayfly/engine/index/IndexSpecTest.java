package dev.mayfly.engine.index;

import static dev.mayfly.query.testing.Docs.arr;
import static dev.mayfly.query.testing.Docs.doc;
import static dev.mayfly.query.testing.Docs.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.index.IndexException.Reason;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IndexSpecTest {
  private static final Part A = Part.ascending(path("a"));
  private static final Collation ENGLISH = Collation.of(doc("locale", "en", "strength", 2));
  private static final IndexSpec PLAIN = IndexSpec.implicit("a_1", A);

  @ParameterizedTest
  @MethodSource("specs")
  void storedFormIsDecodedToAnEqualSpec(IndexSpec spec) {
    assertThat(IndexSpec.of(spec.toDocument())).isEqualTo(spec);
  }

  static List<IndexSpec> specs() {
    Part dotted = Part.descending(FieldPath.of(List.of("b.c", "d")));
    IndexSpec wildcard = IndexSpec.explicit("w", Part.wildcard(path("")));
    return List.of(
        PLAIN,
        PLAIN.withUnique(true).withSparse(true).withHidden(true),
        PLAIN.withPartial(Filter.equal(path("live"), Value.TRUE)),
        PLAIN.withCollation(ENGLISH),
        IndexSpec.explicit("c", A, dotted),
        wildcard,
        wildcard.withScopes(Scope.exclude(path("")), Scope.includeLeaf(path("a"))));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void invalidSpecsAreRejected(Supplier<IndexSpec> nonsense) {
    assertThatThrownBy(nonsense::get)
        .isInstanceOfSatisfying(
            IndexException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.BAD_SPEC));
  }

  static List<Supplier<IndexSpec>> nonsense() {
    Part wildcard = Part.wildcard(path("b"));
    return List.of(
        () -> IndexSpec.implicit("", A),
        () -> IndexSpec.implicit("none"),
        () -> IndexSpec.implicit("twice", A, Part.descending(path("a"))),
        () -> IndexSpec.implicit("root", Part.ascending(path(""))),
        () -> IndexSpec.implicit("many", Collections.nCopies(33, A).toArray(Part[]::new)),
        () -> IndexSpec.implicit("wild", wildcard, Part.wildcard(path("c"))),
        () -> IndexSpec.implicit("wild", wildcard).withUnique(true),
        () -> PLAIN.withScopes(Scope.include(path("a"))),
        () -> PLAIN.withSparse(true).withPartial(Filter.equal(path("a"), Value.of(1))),
        () -> IndexSpec.of(doc()),
        () -> IndexSpec.of(doc("name", "x", "parts", arr(1))),
        () -> IndexSpec.of(with("unique", Value.of(1))),
        () -> IndexSpec.of(with("traversal", Value.of("SIDEWAYS"))),
        () -> IndexSpec.of(with("partial", Value.of(doc("is", "maybe")))));
  }

  @Test
  void scopesAreSortedByPrecision() {
    IndexSpec spec =
        IndexSpec.explicit("w", Part.wildcard(path("")))
            .withScopes(
                Scope.include(path("")), Scope.excludeLeaf(path("a")), Scope.include(path("a")));
    assertThat(spec.scopes())
        .containsExactly(
            Scope.excludeLeaf(path("a")), Scope.include(path("a")), Scope.include(path("")));
  }

  /** A valid form with one field replaced. */
  private static Document with(String name, Value value) {
    Document good = PLAIN.toDocument();
    return Document.writer()
        .put("name", good.field("name"))
        .put("parts", good.field("parts"))
        .put("traversal", name.equals("traversal") ? Value.MISSING : good.field("traversal"))
        .put("order", good.field("order"))
        .put(name, value)
        .build();
  }
}

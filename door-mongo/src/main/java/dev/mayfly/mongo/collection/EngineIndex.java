package dev.mayfly.mongo.collection;

import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.index.Scope;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Translates index descriptions into the engine's {@link IndexSpec}, and back. */
final class EngineIndex {
  private static final FieldPath ROOT = FieldPath.of(List.of());
  private static final FieldPath ID = FieldPath.of("_id");

  private static final Value SPHERE = Value.of(IndexKind.SPHERE.plugin());

  private EngineIndex() {}

  /**
   * Returns the engine's index for a description. A hashed index becomes an ordered index, which
   * answers equality as well.
   */
  static IndexSpec of(IndexForm form) {
    List<Part> parts = new ArrayList<>();
    Fields fields = form.key().fields();
    while (fields.next()) {
      parts.add(part(fields));
    }
    IndexSpec spec =
        IndexSpec.implicit(form.name(), parts.toArray(Part[]::new))
            .withUnique(form.unique())
            .withGuarded(
                form.prepareUnique() && !form.unique() && form.kind() != IndexKind.WILDCARD)
            .withSparse(form.sparse())
            .withHidden(form.hidden())
            .withCollation(CollationParser.parse(form.collation()));
    if (!form.partial().isEmpty()) {
      spec = spec.withPartial(Filters.parse(form.partial(), spec.collation()));
    }
    return spec.withScopes(scopes(form).toArray(Scope[]::new));
  }

  private static Part part(Fields field) {
    if (IndexKind.isWildcard(field.name())) {
      String below = IndexKind.below(field.name());
      return Part.wildcard(below.isEmpty() ? ROOT : FieldPath.of(below));
    }
    FieldPath path = FieldPath.of(field.name());
    if (field.value().equals(SPHERE)) {
      return Part.sphere(path);
    }
    boolean descending = field.type() != Type.STRING && field.value().asDouble() < 0;
    return descending ? Part.descending(path) : Part.ascending(path);
  }

  /**
   * Returns the paths that a wildcard index on the whole document includes or excludes. It contains
   * {@code _id} only if the projection includes it.
   */
  private static List<Scope> scopes(IndexForm form) {
    boolean whole = !form.key().field("$**").isMissing();
    if (!whole) {
      return List.of();
    }
    List<Scope> scopes = new ArrayList<>();
    boolean inclusive = collect(ROOT, form.projection(), scopes);
    if (inclusive) {
      scopes.add(Scope.exclude(ROOT));
    } else if (scopes.stream().noneMatch(scope -> scope.path().equals(ID))) {
      scopes.add(Scope.exclude(ID));
    }
    return scopes;
  }

  /** Adds the paths of a projection. Returns true if it includes a path other than {@code _id}. */
  private static boolean collect(FieldPath above, Document projection, List<Scope> scopes) {
    boolean inclusive = false;
    Fields fields = projection.fields();
    while (fields.next()) {
      FieldPath path = above;
      for (String step : fields.name().split("\\.", -1)) {
        path = path.child(step);
      }
      if (fields.type() == Type.OBJECT) {
        inclusive |= collect(path, fields.value().asDocument(), scopes);
      } else {
        boolean included = IndexRules.truth(fields.value());
        scopes.add(included ? Scope.include(path) : Scope.exclude(path));
        inclusive |= included && !path.equals(ID);
      }
    }
    return inclusive;
  }

  /** Returns the description of an index that was not created through the MongoDB door. */
  static IndexForm form(IndexSpec index) {
    DocumentWriter key = Document.writer();
    for (Part part : index.parts()) {
      String path = part.path().toString();
      String name = part.manyPaths() ? (path.isEmpty() ? "$**" : path + ".$**") : path;
      key.put(name, part.derived() ? SPHERE : Value.of(part.descending() ? -1 : 1));
    }
    return IndexForm.of(
        Document.writer()
            .put(IndexForm.V, 2)
            .put(IndexForm.KEY, key.build())
            .put(IndexForm.NAME, index.name())
            .put(IndexForm.UNIQUE, index.unique() ? Value.TRUE : Value.MISSING)
            .put(IndexForm.HIDDEN, index.hidden() ? Value.TRUE : Value.MISSING)
            .put(IndexForm.SPARSE, index.sparse() ? Value.TRUE : Value.MISSING)
            .put(
                IndexForm.COLLATION,
                index.collation().simple()
                    ? Value.MISSING
                    : Value.of(index.collation().toDocument()))
            .build());
  }
}

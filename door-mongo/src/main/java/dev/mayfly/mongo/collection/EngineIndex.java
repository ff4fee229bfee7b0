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

/** Descriptions of indexes as the engine knows them, and back. */
final class EngineIndex {
  private static final FieldPath ROOT = FieldPath.of(List.of());
  private static final FieldPath ID = FieldPath.of("_id");

  private static final Value SPHERE = Value.of(IndexKind.SPHERE.plugin());

  private EngineIndex() {}

  /**
   * The index that does what a description asks for. A hashed index is one in order, which answers
   * equality as well.
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

  /** A wildcard over the whole document holds the id only when it is told to. */
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

  /** Collects what a projection says; true when it names what is held, the id aside. */
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

  /** The description of an index that was not made through this door. */
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

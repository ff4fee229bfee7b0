package dev.mayfly.engine.index;

import dev.mayfly.engine.index.IndexException.Reason;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Stored form of an index definition. Stateless.
 *
 * <p>{@code name}, {@code parts} (each {@code path}, {@code descending}, {@code wildcard}, {@code
 * sphere}), the flags {@code unique}, {@code guarded}, {@code sparse}, {@code hidden}, then {@code
 * partial} in the form of a filter, {@code traversal}, {@code order}, {@code scopes} (each {@code
 * path}, {@code reach}, {@code included}) and {@code collation}. A path is an array of steps. A
 * missing flag is false; filter, scopes and collation are omitted if there are none.
 */
final class SpecForm {
  /** All kinds, in the order of their flags. */
  private static final List<IndexKind> KINDS =
      List.of(new ValueKind(), new WildcardKind(), new SphereKind());

  private SpecForm() {}

  static Document write(IndexSpec spec) {
    DocumentWriter form = Document.writer().put("name", spec.name());
    form.put("parts", array(spec.parts(), SpecForm::part));
    form.put("unique", spec.unique());
    form.put("guarded", spec.guarded() ? Value.TRUE : Value.MISSING);
    form.put("sparse", spec.sparse());
    form.put("hidden", spec.hidden());
    if (!spec.partial().equals(Filter.all())) {
      form.put("partial", spec.partial().toDocument());
    }
    form.put("traversal", spec.traversal().name());
    form.put("order", spec.order().name());
    if (!spec.scopes().isEmpty()) {
      form.put("scopes", array(spec.scopes(), SpecForm::scope));
    }
    if (!spec.collation().simple()) {
      form.put("collation", spec.collation().toDocument());
    }
    return form.build();
  }

  static IndexSpec read(Document form) {
    return new IndexSpec(
        text(form, "name"),
        list(checked(form.field("parts"), Type.ARRAY, "parts"), SpecForm::part),
        flag(form, "unique"),
        flag(form, "guarded"),
        flag(form, "sparse"),
        flag(form, "hidden"),
        partial(form.field("partial")),
        choice(Traversal.values(), form, "traversal"),
        choice(Order.values(), form, "order"),
        scopes(form.field("scopes")),
        collation(form.field("collation")));
  }

  private static Document part(Part part) {
    DocumentWriter form =
        Document.writer().put("path", steps(part.path())).put("descending", part.descending());
    for (IndexKind kind : KINDS) {
      if (!kind.flag().isEmpty()) {
        form.put(kind.flag(), kind.equals(part.kind()) ? Value.TRUE : kind.flagOfOthers());
      }
    }
    return form.build();
  }

  private static Part part(Value value) {
    Document form = checked(value, Type.OBJECT, "parts").asDocument();
    IndexKind kind = new ValueKind();
    for (IndexKind one : KINDS.reversed()) {
      kind = !one.flag().isEmpty() && flag(form, one.flag()) ? one : kind;
    }
    return new Part(path(form), flag(form, "descending"), kind);
  }

  private static Document scope(Scope scope) {
    return Document.writer()
        .put("path", steps(scope.path()))
        .put("reach", scope.reach().name())
        .put("included", scope.included())
        .build();
  }

  private static Scope scope(Value value) {
    Document form = checked(value, Type.OBJECT, "scopes").asDocument();
    return new Scope(
        path(form), choice(Scope.Reach.values(), form, "reach"), flag(form, "included"));
  }

  private static List<Scope> scopes(Value value) {
    return value.isMissing()
        ? List.of()
        : list(checked(value, Type.ARRAY, "scopes"), SpecForm::scope);
  }

  private static Filter partial(Value value) {
    if (value.isMissing()) {
      return Filter.all();
    }
    try {
      return Filter.of(checked(value, Type.OBJECT, "partial").asDocument());
    } catch (QueryException bad) {
      throw new IndexException(Reason.BAD_SPEC, bad);
    }
  }

  private static Collation collation(Value value) {
    if (value.isMissing()) {
      return Collation.SIMPLE;
    }
    try {
      return Collation.of(checked(value, Type.OBJECT, "collation").asDocument());
    } catch (QueryException bad) {
      throw new IndexException(Reason.BAD_SPEC, bad);
    }
  }

  private static <T> Value array(List<T> items, Function<T, Document> form) {
    return Value.array(items.stream().map(item -> Value.of(form.apply(item))).toList());
  }

  private static <T> List<T> list(Value array, Function<Value, T> item) {
    Fields elements = array.asDocument().fields();
    List<T> items = new ArrayList<>();
    while (elements.next()) {
      items.add(item.apply(elements.value()));
    }
    return items;
  }

  private static Value steps(FieldPath path) {
    List<Value> steps = new ArrayList<>();
    for (int i = 0; i < path.length(); i++) {
      steps.add(Value.of(path.step(i)));
    }
    return Value.array(steps);
  }

  private static FieldPath path(Document form) {
    Value steps = checked(form.field("path"), Type.ARRAY, "path");
    return FieldPath.of(list(steps, step -> checked(step, Type.STRING, "path").asString()));
  }

  private static String text(Document form, String name) {
    return checked(form.field(name), Type.STRING, name).asString();
  }

  private static boolean flag(Document form, String name) {
    Value value = form.field(name);
    return !value.isMissing() && checked(value, Type.BOOLEAN, name).asBoolean();
  }

  private static <E extends Enum<E>> E choice(E[] choices, Document form, String name) {
    String wanted = text(form, name);
    for (E choice : choices) {
      if (choice.name().equals(wanted)) {
        return choice;
      }
    }
    throw bad(name);
  }

  private static Value checked(Value value, Type type, String name) {
    if (value.type() != type) {
      throw bad(name);
    }
    return value;
  }

  private static IndexException bad(String name) {
    return new IndexException(Reason.BAD_SPEC, "not the stored form of an index", name);
  }
}

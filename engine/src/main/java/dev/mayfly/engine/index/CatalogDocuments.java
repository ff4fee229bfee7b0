package dev.mayfly.engine.index;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Conversions between lists and arrays of the documents in the catalog. Stateless. */
public final class CatalogDocuments {
  private CatalogDocuments() {}

  public static Value path(FieldPath path) {
    List<Value> steps = new ArrayList<>(path.length());
    for (int i = 0; i < path.length(); i++) {
      steps.add(Value.of(path.step(i)));
    }
    return Value.array(steps);
  }

  public static FieldPath path(Value steps) {
    return FieldPath.of(list(steps, Value::asString));
  }

  public static <T> List<T> list(Value array, Function<Value, T> each) {
    List<T> list = new ArrayList<>();
    Fields fields = array.asDocument().fields();
    while (fields.next()) {
      list.add(each.apply(fields.value()));
    }
    return list;
  }

  public static <T> Value array(List<T> list, Function<T, Document> each) {
    return Value.array(list.stream().map(item -> Value.of(each.apply(item))).toList());
  }
}

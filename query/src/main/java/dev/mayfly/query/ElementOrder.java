package dev.mayfly.query;

import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sort order of the elements of an array. */
public sealed interface ElementOrder {
  /** Sorts the elements; the sort is stable. */
  void sort(List<Value> elements);

  /** No order. */
  record None() implements ElementOrder {
    @Override
    public void sort(List<Value> elements) {
      // Elements keep their order.
    }
  }

  /** By the values of the elements. */
  record Whole(boolean descending, Collation collation) implements ElementOrder {
    @Override
    public void sort(List<Value> elements) {
      Comparator<Value> ascending =
          (a, b) -> Order.MONGO.compare(collation.fold(a), collation.fold(b));
      elements.sort(Interrupt.counting(descending ? ascending.reversed() : ascending));
    }
  }

  /**
   * By fields of the elements; an element that is not an object has none, and missing counts as
   * null.
   *
   * <p>Unlike in a sort of documents, an array counts as a whole and not by one of its elements.
   */
  record ByFields(List<Sort> keys, Collation collation) implements ElementOrder {
    public ByFields {
      keys = List.copyOf(keys);
    }

    private record Keyed(Value element, List<Value> values) {}

    @Override
    public void sort(List<Value> elements) {
      List<Keyed> keyed = new ArrayList<>(elements.stream().map(this::keyed).toList());
      keyed.sort(Interrupt.counting(this::compare));
      elements.clear();
      keyed.forEach(each -> elements.add(each.element()));
    }

    private Keyed keyed(Value element) {
      Document object = element.isDocument() ? element.asDocument() : Document.EMPTY;
      List<Value> values = new ArrayList<>(keys.size());
      for (Sort key : keys) {
        Value value = object.at(key.path());
        values.add(value.isMissing() ? Value.NULL : collation.fold(value));
      }
      return new Keyed(element, values);
    }

    private int compare(Keyed a, Keyed b) {
      for (int i = 0; i < keys.size(); i++) {
        int sign = Order.MONGO.compare(a.values().get(i), b.values().get(i));
        if (sign != 0) {
          return keys.get(i).descending() ? -sign : sign;
        }
      }
      return 0;
    }
  }
}

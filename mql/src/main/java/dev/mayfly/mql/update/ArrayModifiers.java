package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.Collation;
import dev.mayfly.query.ElementOrder;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Interrupt;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The modifiers of arrays. */
public final class ArrayModifiers {
  private ArrayModifiers() {}

  /**
   * Puts values into an array, sorts it, and cuts it, in this order.
   *
   * @param position where to put them, counted from the end when negative; {@link #AT_END}
   * @param slice how many elements to keep, from the end when negative; {@link #ALL}
   * @param order how to sort the elements
   */
  public record Push(List<Value> values, long position, long slice, ElementOrder order)
      implements Modifier {
    /** Behind the last element. */
    public static final long AT_END = Long.MAX_VALUE;

    /** Every element. */
    public static final long ALL = Long.MAX_VALUE;

    public Push {
      values = List.copyOf(values);
    }

    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      List<Value> elements = new ArrayList<>(existing(before, path, application));
      elements.addAll(place(elements.size()), values);
      order.sort(elements);
      return Value.array(sliced(elements));
    }

    private static List<Value> existing(Value before, String path, UpdateApplication application) {
      if (before.isMissing()) {
        return List.of();
      }
      if (!before.isArray()) {
        throw UpdateApplication.failure(
            Reason.BAD_VALUE,
            "The field '"
                + path
                + "' must be an array but is of type "
                + TypeNames.of(before.type())
                + " in document "
                + application.id());
      }
      return Modifiers.elements(before);
    }

    @Override
    public boolean appended(Value before, Value after) {
      int size = Modifiers.elements(before).size();
      return order instanceof ElementOrder.None
          && place(size) == size
          && Modifiers.elements(after).size() == size + values.size();
    }

    private int place(int size) {
      return position >= 0 ? (int) Math.min(position, size) : (int) Math.max(size + position, 0);
    }

    private List<Value> sliced(List<Value> elements) {
      int size = elements.size();
      return slice >= 0
          ? elements.subList(0, (int) Math.min(slice, size))
          : elements.subList((int) Math.max(size + slice, 0), size);
    }
  }

  /** Puts those values into an array that are not in it. */
  public record AddToSet(List<Value> values, Collation collation) implements Modifier {
    public AddToSet {
      values = List.copyOf(values);
    }

    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      if (!before.isMissing() && !before.isArray()) {
        throw UpdateApplication.failure(
            Reason.BAD_VALUE,
            "Cannot apply $addToSet to non-array field. Field named '"
                + Modifiers.last(path)
                + "' has non-array type "
                + TypeNames.of(before.type()));
      }
      List<Value> elements =
          before.isMissing() ? new ArrayList<>() : new ArrayList<>(Modifiers.elements(before));
      TreeSet<Value> seen = new TreeSet<>(Interrupt.counting(Order.MONGO));
      elements.forEach(element -> seen.add(collation.fold(element)));
      int size = elements.size();
      for (Value value : values) {
        if (seen.add(collation.fold(value))) {
          elements.add(value);
        }
      }
      return elements.size() == size && before.isArray() ? before : Value.array(elements);
    }
  }

  /** Takes away the first or the last element. */
  public record Pop(boolean first) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      if (before.isMissing()) {
        return before;
      }
      if (!before.isArray()) {
        throw UpdateApplication.failure(
            Reason.WRONG_TYPE,
            "Path '"
                + path
                + "' contains an element of non-array type '"
                + TypeNames.of(before.type())
                + "'");
      }
      List<Value> elements = Modifiers.elements(before);
      if (elements.isEmpty()) {
        return before;
      }
      return Value.array(
          first ? elements.subList(1, elements.size()) : elements.subList(0, elements.size() - 1));
    }

    @Override
    public boolean creates(UpdateApplication application) {
      return false;
    }

    @Override
    public boolean needsWay(UpdateApplication application) {
      return true;
    }
  }

  /** Takes away the elements that are meant. */
  public record Pull(Meant meant) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      if (before.isMissing()) {
        return before;
      }
      if (!before.isArray()) {
        throw UpdateApplication.failure(
            Reason.BAD_VALUE, "Cannot apply $pull to a non-array value");
      }
      List<Value> elements = Modifiers.elements(before);
      List<Value> kept = elements.stream().filter(meant.asker().negate()).toList();
      return kept.size() == elements.size() ? before : Value.array(kept);
    }

    @Override
    public boolean creates(UpdateApplication application) {
      return false;
    }

    @Override
    public boolean needsWay(UpdateApplication application) {
      return true;
    }
  }

  /** Which elements are meant. */
  public sealed interface Meant {
    /** Something that asks, for one thread. */
    Predicate<Value> asker();

    /** Those equal to one of these. */
    record Equal(List<Value> values, Collation collation) implements Meant {
      public Equal {
        values = List.copyOf(values);
      }

      @Override
      public Predicate<Value> asker() {
        TreeSet<Value> folded = new TreeSet<>(Interrupt.counting(Order.MONGO));
        values.forEach(value -> folded.add(collation.fold(value)));
        return element -> folded.contains(collation.fold(element));
      }
    }

    /** The objects that pass a filter on their fields. */
    record Member(Filter filter) implements Meant {
      @Override
      public Predicate<Value> asker() {
        Matcher matcher = filter.matcher(Mode.MATCH);
        return element -> element.isDocument() && matcher.matches(element.asDocument());
      }
    }

    /** Those that, as the field of no name in a document, pass a filter on that document. */
    record Field(Filter filter) implements Meant {
      @Override
      public Predicate<Value> asker() {
        Matcher matcher = filter.matcher(Mode.MATCH);
        return element -> matcher.matches(Document.writer().put("", element).build());
      }
    }
  }
}

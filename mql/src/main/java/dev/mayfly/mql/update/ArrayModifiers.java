package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.Collation;
import dev.mayfly.query.ElementOrder;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Update operators of arrays. */
public final class ArrayModifiers {
  private ArrayModifiers() {}

  /**
   * {@code $push}: inserts values into an array, sorts it and slices it, in this order.
   *
   * @param position index for the values, counted from the end if negative; {@link #AT_END}
   * @param slice number of elements to keep, from the end if negative; {@link #ALL}
   * @param order sort order of the elements
   */
  public record Push(List<Value> values, long position, long slice, ElementOrder order)
      implements Modifier {
    /** Position after the last element. */
    public static final long AT_END = Long.MAX_VALUE;

    /** Slice that keeps every element. */
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

  /** {@code $addToSet}: adds the values that the array does not contain. */
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

  /** {@code $pop}: removes the first or the last element. */
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
    public boolean requiresPath(UpdateApplication application) {
      return true;
    }
  }

  /** {@code $pull} and {@code $pullAll}: removes the selected elements. */
  public record Pull(Selection selection) implements Modifier {
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
      List<Value> kept = elements.stream().filter(selection.predicate().negate()).toList();
      return kept.size() == elements.size() ? before : Value.array(kept);
    }

    @Override
    public boolean creates(UpdateApplication application) {
      return false;
    }

    @Override
    public boolean requiresPath(UpdateApplication application) {
      return true;
    }
  }

  /** Selection of elements. */
  public sealed interface Selection {
    /** Returns a predicate for one thread. */
    Predicate<Value> predicate();

    /** Elements equal to one of these values. */
    record Equal(List<Value> values, Collation collation) implements Selection {
      public Equal {
        values = List.copyOf(values);
      }

      @Override
      public Predicate<Value> predicate() {
        TreeSet<Value> folded = new TreeSet<>(Interrupt.counting(Order.MONGO));
        values.forEach(value -> folded.add(collation.fold(value)));
        return element -> folded.contains(collation.fold(element));
      }
    }

    /** Objects that match a filter on their fields. */
    record Member(Filter filter) implements Selection {
      @Override
      public Predicate<Value> predicate() {
        Matcher matcher = filter.matcher(Mode.MATCH);
        return element -> element.isDocument() && matcher.matches(element.asDocument());
      }
    }

    /** Elements that match a filter as the field with the empty name of a document. */
    record Field(Filter filter) implements Selection {
      @Override
      public Predicate<Value> predicate() {
        Matcher matcher = filter.matcher(Mode.MATCH);
        return element -> matcher.matches(Document.writer().put("", element).build());
      }
    }
  }
}

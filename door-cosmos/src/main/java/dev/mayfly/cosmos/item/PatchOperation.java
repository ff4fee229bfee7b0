package dev.mayfly.cosmos.item;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** One operation of a patch. Applying it returns a new item or fails. */
sealed interface PatchOperation {
  /** Adds a value at a path; inserts into an array. */
  record Add(Pointer path, Value value) implements PatchOperation {}

  /** Sets a value at a path; replaces an element of an array. */
  record Set(Pointer path, Value value) implements PatchOperation {}

  /** As set, if the path exists. */
  record Replace(Pointer path, Value value) implements PatchOperation {}

  /** Removes the value at a path. */
  record Remove(Pointer path) implements PatchOperation {}

  /** Increments a number; sets it if the path does not exist. */
  record Increment(Pointer path, Value by) implements PatchOperation {}

  /** Moves a value from one path to another. */
  record Move(Pointer from, Pointer path) implements PatchOperation {}

  /** Failure of an operation. */
  final class Impossible extends RuntimeException {
    private static final long serialVersionUID = 1;

    Impossible(String why) {
      super(why, null, false, false);
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }

  /** Returns the path it writes to. */
  Pointer path();

  /**
   * Returns the item after the operation.
   *
   * @throws Impossible if the operation does not fit the item
   */
  default Document apply(Document item) {
    return switch (this) {
      case Add(Pointer path, Value value) -> edit(item, path, new Adding(value));
      case Set(Pointer path, Value value) -> edit(item, path, new Setting(value));
      case Replace(Pointer path, Value value) -> {
        require(!find(item, path).isMissing(), path, "to be replaced is absent.");
        yield edit(item, path, new Setting(value));
      }
      case Remove(Pointer path) -> removed(item, path);
      case Increment(Pointer path, Value by) ->
          edit(item, path, new Setting(sum(path, find(item, path), by)));
      case Move(Pointer from, Pointer path) -> {
        Value moved = find(item, from);
        require(!moved.isMissing(), from, "to be moved is absent.");
        yield edit(removed(item, from), path, new Adding(moved));
      }
    };
  }

  private static void require(boolean holds, Pointer path, String problem) {
    if (!holds) {
      throw new Impossible("Node(" + path + ") " + problem);
    }
  }

  private static Document removed(Document item, Pointer path) {
    require(
        !find(item, path).isMissing(),
        path,
        "to be removed is absent. Note: it may also have been removed earlier in the transaction.");
    return edit(item, path, new Setting(Value.MISSING));
  }

  private static Value sum(Pointer path, Value present, Value by) {
    if (present.isMissing()) {
      return by;
    }
    require(present.isNumber(), path, "is not a number.");
    boolean integers = !isDouble(present) && !isDouble(by);
    long sum = integers ? present.asLong() + by.asLong() : 0;
    boolean overflows = ((present.asLong() ^ sum) & (by.asLong() ^ sum)) < 0;
    if (integers && !overflows) {
      return Value.of(sum);
    }
    double rounded = present.asDouble() + by.asDouble();
    require(Double.isFinite(rounded), path, "would not be a finite number.");
    return Value.of(rounded);
  }

  private static boolean isDouble(Value number) {
    return number.type() == dev.mayfly.value.Type.DOUBLE;
  }

  private static Value find(Document item, Pointer path) {
    Value at = Value.of(item);
    for (String step : path.steps()) {
      at = child(at, step);
    }
    return at;
  }

  private static Value child(Value parent, String step) {
    if (parent.isDocument()) {
      return parent.asDocument().field(step);
    }
    if (parent.isArray()) {
      List<Value> elements = elements(parent);
      int index = Pointer.index(step, elements.size());
      return index >= 0 && index < elements.size() ? elements.get(index) : Value.MISSING;
    }
    return Value.MISSING;
  }

  /** Edit of the parent object or array of a path. */
  sealed interface Edit {
    Value value();

    /** Whether it inserts into an array rather than replaces an element. */
    boolean inserts();
  }

  /** Inserts into arrays. */
  record Adding(Value value) implements Edit {
    @Override
    public boolean inserts() {
      return true;
    }
  }

  /** Replaces the value; a missing value removes it. */
  record Setting(Value value) implements Edit {
    @Override
    public boolean inserts() {
      return false;
    }
  }

  private static Document edit(Document item, Pointer path, Edit edit) {
    return edit(Value.of(item), path, 0, edit).asDocument();
  }

  private static Value edit(Value parent, Pointer path, int at, Edit edit) {
    String step = path.step(at);
    if (at == path.last()) {
      return put(parent, path, edit);
    }
    Value child = child(parent, step);
    if (!child.isDocument() && !child.isArray()) {
      throw new Impossible(
          (edit.inserts() ? "Add" : "Given")
              + " Operation can only create a child object of an existing node(array or object)"
              + " and cannot create path recursively, no path found beyond: '"
              + (child.isMissing() && at > 0 ? path.step(at - 1) : step)
              + "'.");
    }
    Value changed = edit(child, path, at + 1, edit);
    return put(parent, new Pointer(List.of(step)), new Setting(changed));
  }

  /** Applies the edit to the parent; the last step of the path is the name. */
  private static Value put(Value parent, Pointer path, Edit edit) {
    String name = path.step(path.last());
    return parent.isArray()
        ? inArray(elements(parent), name, edit)
        : Value.of(inObject(parent.asDocument(), name, edit.value()));
  }

  private static Document inObject(Document object, String name, Value value) {
    DocumentWriter writer = Document.writer();
    boolean found = false;
    Fields fields = object.fields();
    while (fields.next()) {
      if (fields.name().equals(name)) {
        writer.put(name, found ? Value.MISSING : value);
        found = true;
      } else {
        writer.put(fields);
      }
    }
    return found ? writer.build() : writer.put(name, value).build();
  }

  private static Value inArray(List<Value> elements, String step, Edit edit) {
    int index = Pointer.index(step, elements.size());
    if (index < 0 || index > elements.size()) {
      throw new Impossible("Index(" + step + ") to operate on is out of array bounds");
    }
    if (edit.inserts() || index == elements.size()) {
      elements.add(index, edit.value());
    } else {
      elements.set(index, edit.value());
    }
    return Value.array(elements.stream().filter(element -> !element.isMissing()).toList());
  }

  private static List<Value> elements(Value array) {
    List<Value> elements = new ArrayList<>();
    Fields fields = array.asDocument().fields();
    while (fields.next()) {
      elements.add(fields.value());
    }
    return elements;
  }
}

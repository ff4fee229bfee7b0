package dev.mayfly.cosmos.item;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** One change to a part of an item. Applying it gives a new item or says why it cannot be. */
sealed interface PatchOperation {
  /** Puts a value at a path; into an array it goes before what is there. */
  record Add(Pointer path, Value value) implements PatchOperation {}

  /** Puts a value at a path; in an array it takes the place of what is there. */
  record Set(Pointer path, Value value) implements PatchOperation {}

  /** As set, where something is already. */
  record Replace(Pointer path, Value value) implements PatchOperation {}

  /** Takes away what is at a path. */
  record Remove(Pointer path) implements PatchOperation {}

  /** Adds to a number; where there is none it is put there. */
  record Increment(Pointer path, Value by) implements PatchOperation {}

  /** Takes away what is at one path and adds it at another. */
  record Move(Pointer from, Pointer path) implements PatchOperation {}

  /** Why an operation cannot be done. */
  final class Impossible extends RuntimeException {
    private static final long serialVersionUID = 1;

    Impossible(String why) {
      super(why, null, false, false);
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }

  /** Where it writes. */
  Pointer path();

  /**
   * The item after it.
   *
   * @throws Impossible when the item has not what the operation needs
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

  private static void require(boolean holds, Pointer path, String otherwise) {
    if (!holds) {
      throw new Impossible("Node(" + path + ") " + otherwise);
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
    boolean whole = !isDouble(present) && !isDouble(by);
    long sum = whole ? present.asLong() + by.asLong() : 0;
    boolean overflows = ((present.asLong() ^ sum) & (by.asLong() ^ sum)) < 0;
    if (whole && !overflows) {
      return Value.of(sum);
    }
    double rounded = present.asDouble() + by.asDouble();
    require(Double.isFinite(rounded), path, "would be no number any more.");
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
      int place = Pointer.place(step, elements.size());
      return place >= 0 && place < elements.size() ? elements.get(place) : Value.MISSING;
    }
    return Value.MISSING;
  }

  /** What is done to the object or array that a path leads into. */
  sealed interface Edit {
    Value value();

    /** Whether what is there makes room in an array, or gives way. */
    boolean inserts();
  }

  /** Makes room in arrays. */
  record Adding(Value value) implements Edit {
    @Override
    public boolean inserts() {
      return true;
    }
  }

  /** Takes the place of what is there; a missing value leaves nothing there. */
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

  /** Does the edit in the object or array itself: the last step of the path is the name. */
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
    int place = Pointer.place(step, elements.size());
    if (place < 0 || place > elements.size()) {
      throw new Impossible("Index(" + step + ") to operate on is out of array bounds");
    }
    if (edit.inserts() || place == elements.size()) {
      elements.add(place, edit.value());
    } else {
      elements.set(place, edit.value());
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

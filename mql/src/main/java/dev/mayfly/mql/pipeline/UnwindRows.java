package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Rows of {@code $unwind}: a document for each element of an array.
 *
 * <p>A path that passes through an array leads nowhere. A value that is neither an array nor null
 * nor missing counts as an array of one element without an index.
 */
final class UnwindRows implements Rows {
  private final Rows input;
  private final FieldPath path;
  private final boolean keepsEmpty;
  private final FieldSetter element;
  private final Optional<FieldSetter> place;
  private final Fields elements = Document.EMPTY.fields();
  private boolean inArray;
  private long index;
  private Document current = Document.EMPTY;

  UnwindRows(Rows input, Stage.Unwind stage) {
    this.input = input;
    this.path = stage.path();
    this.keepsEmpty = stage.keepsEmpty();
    this.element = new FieldSetter(stage.path());
    this.place = stage.index().map(FieldSetter::new);
  }

  @Override
  public boolean next() {
    while (true) {
      if (inArray && elements.next()) {
        give(element.put(input.current(), elements.value()), Value.of(index++));
        return true;
      }
      inArray = false;
      if (!input.next()) {
        return false;
      }
      if (enter(input.current())) {
        return true;
      }
    }
  }

  /** Starts with another document; returns whether it is a row by itself. */
  private boolean enter(Document document) {
    Value value = value(document);
    if (value.type() == Type.ARRAY && !value.asDocument().isEmpty()) {
      elements.reset(value.buffer(), value.offset());
      inArray = true;
      index = 0;
      return false;
    }
    boolean empty = isNothing(value) || value.type() == Type.ARRAY;
    if (empty && !keepsEmpty) {
      return false;
    }
    boolean emptyArray = value.type() == Type.ARRAY;
    give(emptyArray ? element.put(document, Value.MISSING) : document, Value.NULL);
    return true;
  }

  private Value value(Document document) {
    Value value = Value.of(document);
    for (int i = 0; i < path.length() && !value.isMissing(); i++) {
      value = value.isDocument() ? value.asDocument().field(path.stepUtf8(i)) : Value.MISSING;
    }
    return value;
  }

  private static boolean isNothing(Value value) {
    return value.isMissing() || value.isNull() || value.type() == Type.UNDEFINED;
  }

  private void give(Document document, Value at) {
    current = place.isPresent() ? place.get().put(document, at) : document;
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    input.close();
  }
}

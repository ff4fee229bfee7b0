package dev.mayfly.mql.projection;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;

/**
 * {@code $slice} projection: a range of the elements of an array.
 *
 * @param skip number of elements to skip; if negative, the start counted from the end
 * @param limit maximum number of elements
 */
public record Slice(FieldPath path, long skip, long limit) implements Projection.ArrayChange {
  /** Returns the slice of the first {@code count} elements, or of the last if negative. */
  public static Slice of(FieldPath path, long count) {
    return count >= 0 ? new Slice(path, 0, count) : new Slice(path, count, Long.MAX_VALUE);
  }

  @Override
  public Document apply(Document found, Document shaped) {
    return new ArrayReplacer(path, this::cut).in(shaped);
  }

  private Value cut(Value array) {
    int size = size(array);
    long from = skip >= 0 ? Math.min(skip, size) : Math.max(size + skip, 0);
    long to = limit < size - from ? from + limit : size;
    DocumentWriter writer = Document.writer();
    Fields elements = array.asDocument().fields();
    for (int i = 0; i < to && elements.next(); i++) {
      if (i >= from) {
        writer.add(elements.value());
      }
    }
    return Value.array(writer.build());
  }

  private static int size(Value array) {
    Fields elements = array.asDocument().fields();
    int size = 0;
    while (elements.next()) {
      size++;
    }
    return size;
  }
}

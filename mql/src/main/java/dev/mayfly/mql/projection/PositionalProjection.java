package dev.mayfly.mql.projection;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Positional projection ({@code $}): the array element that matched the query.
 *
 * <p>Keeps a matcher: for one thread at a time.
 */
public final class PositionalProjection implements Projection.ArrayChange {
  private static final int NO_ELEMENT = 51246;
  private static final int NOT_IN_ARRAY = 51247;

  private final FieldPath path;
  private final Matcher matcher;

  /** Creates the projection of the first array on the path, in documents that match the filter. */
  public PositionalProjection(FieldPath path, Filter query) {
    this.path = path;
    this.matcher = query.matcher(Mode.MATCH);
  }

  @Override
  public Document apply(Document found, Document shaped) {
    return object(found, shaped, 0);
  }

  private Document object(Document found, Document shaped, int step) {
    DocumentWriter writer = Document.writer();
    Fields fields = shaped.fields();
    while (fields.next()) {
      if (fields.named(path.stepUtf8(step))) {
        writer.put(path.step(step), value(found, fields.value(), step + 1));
      } else {
        writer.put(fields);
      }
    }
    return writer.build();
  }

  private Value value(Document found, Value value, int step) {
    if (value.isArray()) {
      return Value.array(List.of(at(value, place(found))));
    }
    return value.type() == Type.OBJECT && step < path.length()
        ? Value.of(object(found, value.asDocument(), step))
        : value;
  }

  private int place(Document found) {
    if (!matcher.matches(found) || matcher.place() < 0) {
      throw new QueryException(
          Reason.BAD_VALUE,
          NO_ELEMENT,
          "Executor error during find command :: caused by :: positional operator '.$' couldn't"
              + " find a matching element in the array");
    }
    return matcher.place();
  }

  static Value at(Value array, int place) {
    Fields elements = array.asDocument().fields();
    for (int i = 0; i <= place; i++) {
      if (!elements.next()) {
        throw new QueryException(
            Reason.BAD_VALUE,
            NOT_IN_ARRAY,
            "Executor error during find command :: caused by :: positional operator '.$' element"
                + " mismatch");
      }
    }
    return elements.value();
  }
}

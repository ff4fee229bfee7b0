package dev.mayfly.query.projection;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Of an array only the element by which the document was found.
 *
 * <p>Keeps a matcher: for one thread at a time.
 */
public final class FoundElement implements Projection.ArrayChange {
  private static final int NO_ELEMENT = 51246;
  private static final int NOT_IN_ARRAY = 51247;

  private final FieldPath path;
  private final Matcher matcher;

  /** Of the array at the path, in documents that the filter found. */
  public FoundElement(FieldPath path, Filter query) {
    this.path = path;
    this.matcher = query.matcher(Mode.MATCH);
  }

  @Override
  public Document apply(Document found, Document shaped) {
    if (!matcher.matches(found) || matcher.place() < 0) {
      throw new QueryException(
          Reason.BAD_VALUE,
          NO_ELEMENT,
          "Executor error during find command :: caused by :: positional operator '.$' couldn't"
              + " find a matching element in the array");
    }
    int place = matcher.place();
    return new ArrayAt(path, array -> Value.array(List.of(at(array, place)))).in(shaped);
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

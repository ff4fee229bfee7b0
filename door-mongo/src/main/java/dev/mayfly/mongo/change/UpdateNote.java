package dev.mayfly.mongo.change;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Note that an update stores in the feed for change streams: the paths of objects and arrays that
 * it sets as a whole. Events report these as a whole, even if parts of them are unchanged.
 */
public final class UpdateNote {
  private static final String SET_WHOLE = "setWhole";

  private UpdateNote() {}

  public static Document of(List<String> setWhole) {
    return setWhole.isEmpty()
        ? Document.EMPTY
        : Document.writer()
            .put(SET_WHOLE, Value.array(setWhole.stream().map(Value::of).toList()))
            .build();
  }

  static Set<String> setWhole(Document note) {
    Set<String> paths = new HashSet<>();
    if (!note.isEmpty()) {
      Fields fields = note.field(SET_WHOLE).asDocument().fields();
      while (fields.next()) {
        paths.add(fields.value().asString());
      }
    }
    return paths;
  }
}

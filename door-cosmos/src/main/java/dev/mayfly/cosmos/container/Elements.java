package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Parts of definitions that must be of one type where they are given at all. */
final class Elements {
  private Elements() {}

  /**
   * The elements of a list; none when it is missing or null.
   *
   * @throws CosmosException 400 when it is no list
   */
  static List<Value> of(Document form, String name) {
    Value list = form.field(name);
    List<Value> elements = new ArrayList<>();
    if (absent(list)) {
      return elements;
    }
    if (!list.isArray()) {
      throw CosmosException.wrong("'" + name + "' must be an array.");
    }
    Fields fields = list.asDocument().fields();
    while (fields.next()) {
      elements.add(fields.value());
    }
    return elements;
  }

  /**
   * An object; an empty one when it is missing or null.
   *
   * @throws CosmosException 400 when it is no object
   */
  static Document object(Value value, String name) {
    if (absent(value)) {
      return Document.EMPTY;
    }
    if (!value.isDocument()) {
      throw CosmosException.wrong("'" + name + "' must be an object.");
    }
    return value.asDocument();
  }

  static boolean absent(Value value) {
    return value.isMissing() || value.isNull();
  }
}

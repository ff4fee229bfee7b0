package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Reads optional arrays and objects of definitions. */
final class Elements {
  private Elements() {}

  /**
   * Returns the elements of an array; empty if it is missing or null.
   *
   * @throws CosmosException 400 if it is not an array
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
   * Returns an object; an empty one if it is missing or null.
   *
   * @throws CosmosException 400 if it is not an object
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

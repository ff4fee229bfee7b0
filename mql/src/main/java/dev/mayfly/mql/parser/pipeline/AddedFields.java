package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * Validation of {@code $addFields} and {@code $set} before they are parsed.
 *
 * <p>Paths must not collide. An empty object is the value of its field.
 */
final class AddedFields {
  private final String stage;
  private final Document specification;

  /** Each path and all its prefixes, mapped to the path. */
  private final Map<String, String> given = new HashMap<>();

  private AddedFields(String stage, Document specification) {
    this.stage = stage;
    this.specification = specification;
  }

  /** Fails if the specification is invalid. */
  static void check(String stage, Document specification) {
    AddedFields checked = new AddedFields(stage, specification);
    Fields fields = specification.fields();
    while (fields.next()) {
      checked.element(Syntax.path(fields.name()).toString(), fields.value());
    }
  }

  private void element(String path, Value value) {
    if (value.isDocument() && !value.asDocument().isEmpty()) {
      object(path, value.asDocument());
    } else {
      leaf(path);
    }
  }

  private void object(String path, Document object) {
    int size = 0;
    boolean expression = false;
    Fields fields = object.fields();
    while (fields.next()) {
      size++;
      String name = fields.name();
      if (name.startsWith("$")) {
        expression = true;
      } else if (name.indexOf('.') >= 0) {
        throw failure(
            40183, "cannot use dotted field name '" + name + "' in a sub object: " + shown());
      } else {
        element(path + "." + name, fields.value());
      }
    }
    if (expression) {
      single(size, object);
      leaf(path);
    }
  }

  private void single(int size, Document object) {
    if (size != 1) {
      throw failure(
          40181,
          "an expression specification must contain exactly one field, the name of the expression."
              + " Found "
              + size
              + " fields in "
              + ShellText.of(Value.of(object))
              + ", while parsing object "
              + shown());
    }
  }

  private void leaf(String path) {
    String other = given.get(path);
    for (int dot = path.indexOf('.'); dot > 0 && other == null; dot = path.indexOf('.', dot + 1)) {
      String way = path.substring(0, dot);
      String before = given.putIfAbsent(way, path);
      other = way.equals(before) ? before : null;
    }
    if (other != null) {
      throw failure(
          40176,
          "specification contains two conflicting paths. Cannot specify both '"
              + path
              + "' and '"
              + other
              + "': "
              + shown());
    }
    given.put(path, path);
  }

  private String shown() {
    return ShellText.of(Value.of(specification));
  }

  private RuntimeException failure(int code, String message) {
    return Syntax.failure(code, "Invalid " + stage + " :: caused by :: " + message);
  }
}

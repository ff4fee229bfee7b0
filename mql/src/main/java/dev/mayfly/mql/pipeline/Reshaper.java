package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Intermediate;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reshapes documents: includes, excludes, adds and computes fields.
 *
 * <p>Fields that stay keep the order of the document. A computed field replaces an existing one in
 * place if other fields are kept; otherwise it is appended in the order of the shape. A shape with
 * a computed field inside a value that is not an object turns that value into an object. Immutable.
 */
public final class Reshaper implements Stage.Step {
  /** Number of names to compare per step of an {@link Interrupt}. */
  private static final int NAMES_OF_STEP = 64;

  private final Node root;
  private final boolean keepsOthers;

  /** One level of a shape, with encoded names. */
  private static final class Node {
    private final String[] names;
    private final byte[][] utf8;
    private final Shape[] shapes;
    private final Node[] nested;
    private final boolean[] computes;

    Node(Shape.Nested shape) {
      List<Map.Entry<String, Shape>> fields = List.copyOf(shape.fields().entrySet());
      names = fields.stream().map(Map.Entry::getKey).toArray(String[]::new);
      utf8 = new byte[names.length][];
      shapes = new Shape[names.length];
      nested = new Node[names.length];
      computes = new boolean[names.length];
      for (int i = 0; i < names.length; i++) {
        utf8[i] = names[i].getBytes(StandardCharsets.UTF_8);
        shapes[i] = fields.get(i).getValue();
        if (shapes[i] instanceof Shape.Nested inner) {
          nested[i] = new Node(inner);
          computes[i] = inner.computes();
        }
      }
    }

    /** Returns the index of the field under the cursor, or -1. */
    int find(Fields fields) {
      for (int i = 0; i < utf8.length; i++) {
        if (fields.named(utf8[i])) {
          return i;
        }
      }
      return -1;
    }
  }

  private Reshaper(Shape.Nested shape, Shape.Others others) {
    this.root = new Node(shape);
    this.keepsOthers = others == Shape.Others.KEPT;
  }

  /** Returns the stage that reshapes documents. */
  public static Stage.Reshape stage(Shape.Nested shape, Shape.Others others) {
    return new Stage.Reshape(new Reshaper(shape, others), untouched(shape, others));
  }

  private static PreservedFields untouched(Shape.Nested shape, Shape.Others others) {
    Set<String> names = new HashSet<>();
    for (Map.Entry<String, Shape> field : shape.fields().entrySet()) {
      boolean kept = field.getValue() instanceof Shape.Keep;
      if (kept == (others == Shape.Others.LEFT_OUT)) {
        names.add(field.getKey());
      }
    }
    return others == Shape.Others.KEPT
        ? PreservedFields.allBut(names)
        : PreservedFields.only(names);
  }

  @Override
  public Document apply(Document document, Scope scope) {
    DocumentWriter writer = Intermediate.writer();
    object(root, document.fields(), writer, scope);
    return writer.build();
  }

  private void object(Node node, Fields fields, DocumentWriter writer, Scope scope) {
    boolean[] done = new boolean[node.names.length];
    while (fields.next()) {
      int at = node.find(fields);
      scope.step(1 + node.names.length / NAMES_OF_STEP);
      if (at < 0) {
        if (keepsOthers) {
          writer.put(fields);
        }
      } else if (inPlace(node, at, fields, writer, scope)) {
        done[at] = true;
      }
    }
    append(node, done, writer, scope);
  }

  /** Writes a field in place; returns false if it is to be appended. */
  private boolean inPlace(Node node, int at, Fields fields, DocumentWriter writer, Scope scope) {
    return switch (node.shapes[at]) {
      case Shape.Keep _ -> {
        writer.put(fields);
        yield true;
      }
      case Shape.Drop _ -> true;
      case Shape.Compute(var expression) -> {
        if (keepsOthers) {
          writer.put(node.names[at], expression.evaluate(scope));
        }
        yield keepsOthers;
      }
      case Shape.Nested _ -> {
        nested(node, at, fields, writer, scope);
        yield true;
      }
    };
  }

  private void nested(Node node, int at, Fields fields, DocumentWriter writer, Scope scope) {
    Node inner = node.nested[at];
    switch (fields.type()) {
      case OBJECT -> {
        writer.startDocument(node.names[at]);
        object(inner, fields.value().asDocument().fields(), writer, scope);
        writer.end();
      }
      case ARRAY -> {
        writer.startArray(node.names[at]);
        elements(inner, node.computes[at], fields.value(), writer, scope);
        writer.end();
      }
      default -> {
        if (node.computes[at]) {
          writer.startDocument(node.names[at]);
          append(inner, new boolean[inner.names.length], writer, scope);
          writer.end();
        } else if (keepsOthers) {
          writer.put(fields);
        }
      }
    }
  }

  private void elements(
      Node inner, boolean computes, Value array, DocumentWriter writer, Scope scope) {
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      if (elements.type() == Type.OBJECT) {
        writer.startDocument();
        object(inner, elements.value().asDocument().fields(), writer, scope);
        writer.end();
      } else if (elements.type() == Type.ARRAY) {
        writer.startArray();
        elements(inner, computes, elements.value(), writer, scope);
        writer.end();
      } else if (computes) {
        writer.startDocument();
        append(inner, new boolean[inner.names.length], writer, scope);
        writer.end();
      } else if (keepsOthers) {
        writer.add(elements.value());
      }
    }
  }

  /** Appends the computed fields that the document does not have. */
  private static void append(Node node, boolean[] done, DocumentWriter writer, Scope scope) {
    for (int i = 0; i < node.names.length; i++) {
      if (done[i]) {
        continue;
      }
      switch (node.shapes[i]) {
        case Shape.Compute(var expression) -> writer.put(node.names[i], expression.evaluate(scope));
        case Shape.Nested _ -> {
          if (node.computes[i]) {
            writer.startDocument(node.names[i]);
            append(node.nested[i], new boolean[node.nested[i].names.length], writer, scope);
            writer.end();
          }
        }
        case Shape.Keep _, Shape.Drop _ -> {}
      }
    }
  }
}

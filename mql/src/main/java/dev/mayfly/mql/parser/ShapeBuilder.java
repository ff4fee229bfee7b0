package dev.mayfly.mql.parser;

import dev.mayfly.mql.pipeline.Shape;
import dev.mayfly.value.FieldPath;
import java.util.LinkedHashMap;
import java.util.Map;

/** Combines shapes at paths; rejects path collisions. */
public final class ShapeBuilder {
  private final String stage;
  private final Level root = new Level();

  /** Fields of one object. */
  private static final class Level {
    private final Map<String, Shape> leaves = new LinkedHashMap<>();
    private final Map<String, Level> levels = new LinkedHashMap<>();
    private final Map<String, Boolean> order = new LinkedHashMap<>();

    Shape.Nested build() {
      Map<String, Shape> fields = new LinkedHashMap<>();
      for (String name : order.keySet()) {
        Level level = levels.get(name);
        Shape leaf = leaves.get(name);
        if (level != null) {
          fields.put(name, level.build());
        } else if (leaf != null) {
          fields.put(name, leaf);
        }
      }
      return new Shape.Nested(fields);
    }
  }

  public ShapeBuilder(String stage) {
    this.stage = stage;
  }

  public void put(String dotted, Shape shape) {
    FieldPath path = Syntax.path(dotted);
    Level level = root;
    int last = path.length() - 1;
    for (int i = 0; i < last; i++) {
      if (level.leaves.containsKey(path.step(i))) {
        throw collision(31249, path, i + 1);
      }
      level.order.put(path.step(i), true);
      level = level.levels.computeIfAbsent(path.step(i), _ -> new Level());
    }
    String name = path.step(last);
    if (level.leaves.containsKey(name) || level.levels.containsKey(name)) {
      throw collision(31250, path, last + 1);
    }
    level.order.put(name, true);
    level.leaves.put(name, shape);
  }

  public Shape.Nested build() {
    return root.build();
  }

  private RuntimeException collision(int code, FieldPath path, int from) {
    StringBuilder rest = new StringBuilder();
    for (int i = from; i < path.length(); i++) {
      rest.append(rest.isEmpty() ? "" : ".").append(path.step(i));
    }
    String remaining = rest.isEmpty() ? "" : " remaining portion " + rest;
    return Syntax.failure(
        code, "Invalid " + stage + " :: caused by :: Path collision at " + path + remaining);
  }
}

package dev.mayfly.mql.update;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tree of update operators by the steps of their paths. Immutable. */
sealed interface UpdateNode {
  int CONFLICT = 40;

  /** Returns the new value; {@link Value#MISSING} for none. */
  Value apply(Value before, String path, UpdateApplication application);

  /** Returns whether a modifier below creates missing values. */
  boolean creates(UpdateApplication application);

  /** Returns whether a modifier below fails if its path cannot be created. */
  boolean requiresPath(UpdateApplication application);

  /** The end of a path. */
  record Leaf(Modifier modifier) implements UpdateNode {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      Value after = modifier.apply(before, path, application);
      if (sameKind(before, after) && !after.equals(before) && !modifier.appended(before, after)) {
        application.context().setWhole().accept(path);
      }
      return after;
    }

    /** Returns whether both are objects or both arrays; other values are not compared by parts. */
    private static boolean sameKind(Value before, Value after) {
      return (before.isDocument() && after.isDocument()) || (before.isArray() && after.isArray());
    }

    @Override
    public boolean creates(UpdateApplication application) {
      return modifier.creates(application);
    }

    @Override
    public boolean requiresPath(UpdateApplication application) {
      return modifier.requiresPath(application);
    }
  }

  /** A step with several children. */
  record Branch(SortedMap<PathStep, UpdateNode> children) implements UpdateNode {
    /** MongoDB's limit for the nulls that fill the gap before a new element. */
    private static final int MOST_PADDING = 1_500_000;

    private static final int CANNOT_BACKFILL = 34;

    @Override
    public boolean creates(UpdateApplication application) {
      return children.values().stream().anyMatch(child -> child.creates(application));
    }

    @Override
    public boolean requiresPath(UpdateApplication application) {
      return children.values().stream().anyMatch(child -> child.requiresPath(application));
    }

    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      Branch resolved = resolved(path, application);
      return switch (before.type()) {
        case OBJECT -> Value.of(resolved.inObject(before.asDocument(), path, application));
        case ARRAY -> resolved.inArray(before, path, application);
        case MISSING -> resolved.inNothing(path, application);
        default -> resolved.inScalar(before, path, application);
      };
    }

    /**
     * Applies the children to an object. Existing fields keep their positions; new ones are
     * appended in the order of the steps.
     */
    Document inObject(Document before, String path, UpdateApplication application) {
      refuseArraySteps(Value.of(before), path);
      DocumentWriter writer = Document.writer();
      List<Named> rest = named();
      Fields fields = before.fields();
      while (fields.next()) {
        Named child = taken(rest, fields);
        if (child == null) {
          writer.put(fields);
        } else {
          writer.put(
              child.name(),
              child.node().apply(fields.value(), joined(path, child.name()), application));
        }
      }
      for (Named child : rest) {
        if (child.node().creates(application)) {
          writer.put(
              child.name(),
              child.node().apply(Value.MISSING, joined(path, child.name()), application));
        }
      }
      return writer.build();
    }

    private Value inNothing(String path, UpdateApplication application) {
      if (hasArraySteps()) {
        throw UpdateApplication.failure(
            Reason.BAD_VALUE,
            "The path '" + path + "' must exist in the document in order to apply array updates.");
      }
      return creates(application)
          ? Value.of(inObject(Document.EMPTY, path, application))
          : Value.MISSING;
    }

    private Value inScalar(Value before, String path, UpdateApplication application) {
      refuseArraySteps(before, path);
      for (Map.Entry<PathStep, UpdateNode> child : children.entrySet()) {
        if (child.getValue().requiresPath(application)) {
          throw notViable(child.getKey(), before, path);
        }
      }
      return before;
    }

    private Value inArray(Value before, String path, UpdateApplication application) {
      refuseNames(before, path, application);
      DocumentWriter writer = Document.writer();
      Fields elements = before.asDocument().fields();
      int size = 0;
      int changed = 0;
      while (elements.next()) {
        String at = joined(path, String.valueOf(size));
        List<UpdateNode> matching = matching(size, elements.value(), application);
        if (matching.isEmpty()) {
          writer.put(elements);
        } else {
          Value after = merged(matching, at).apply(elements.value(), at, application);
          changed += after.equals(elements.value()) ? 0 : 1;
          // Removing an element would move those after it.
          writer.add(after.isMissing() ? Value.NULL : after);
        }
        size++;
      }
      if (changed > 1 && hasArraySteps()) {
        application.context().setWhole().accept(path);
      }
      appendTo(writer, size, path, application);
      return Value.array(writer.build());
    }

    private List<UpdateNode> matching(int place, Value element, UpdateApplication application) {
      List<UpdateNode> matching = new ArrayList<>(1);
      for (Map.Entry<PathStep, UpdateNode> child : children.entrySet()) {
        boolean means =
            switch (child.getKey()) {
              case PathStep.Named named -> named.element() == place;
              case PathStep.Every _ -> true;
              case PathStep.Filtered(String identifier) -> application.means(identifier, element);
              case PathStep.Found _ -> false;
            };
        if (means) {
          matching.add(child.getValue());
        }
      }
      return matching;
    }

    private void appendTo(
        DocumentWriter writer, int size, String path, UpdateApplication application) {
      SortedMap<Integer, UpdateNode> added = new TreeMap<>();
      for (Map.Entry<PathStep, UpdateNode> child : children.entrySet()) {
        if (child.getKey() instanceof PathStep.Named named
            && named.element() >= size
            && child.getValue().creates(application)) {
          String at = joined(path, String.valueOf(named.element()));
          added.merge(
              named.element(), child.getValue(), (one, two) -> merged(List.of(one, two), at));
        }
      }
      int next = size;
      for (Map.Entry<Integer, UpdateNode> child : added.entrySet()) {
        int place = child.getKey();
        refuseGap(place - next, path);
        for (; next < place; next++) {
          writer.add(Value.NULL);
        }
        String at = joined(path, String.valueOf(place));
        writer.add(child.getValue().apply(Value.MISSING, at, application));
        next++;
      }
    }

    private static void refuseGap(int gap, String path) {
      if (gap > MOST_PADDING) {
        throw new QueryException(
            Reason.BAD_VALUE,
            CANNOT_BACKFILL,
            "Cannot backfill array '" + path + "' with more than " + MOST_PADDING + " nulls");
      }
    }

    /** Replaces {@code $} by the index that matched the query. */
    private Branch resolved(String path, UpdateApplication application) {
      UpdateNode found = children.get(new PathStep.Found());
      if (found == null) {
        return this;
      }
      int place = application.context().place();
      if (place == UpdateContext.NO_PLACE) {
        throw UpdateApplication.failure(
            Reason.BAD_VALUE,
            "The positional operator did not find the match needed from the query.");
      }
      TreeMap<PathStep, UpdateNode> steps = new TreeMap<>(children);
      steps.remove(new PathStep.Found());
      String at = joined(path, String.valueOf(place));
      steps.merge(
          PathStep.Named.of(String.valueOf(place)),
          found,
          (one, two) -> merged(List.of(one, two), at));
      return new Branch(steps);
    }

    private void refuseNames(Value before, String path, UpdateApplication application) {
      for (Map.Entry<PathStep, UpdateNode> child : children.entrySet()) {
        if (child.getKey() instanceof PathStep.Named named
            && named.element() < 0
            && child.getValue().requiresPath(application)) {
          throw notViable(child.getKey(), before, path);
        }
      }
    }

    private void refuseArraySteps(Value before, String path) {
      if (hasArraySteps()) {
        throw UpdateApplication.failure(
            Reason.BAD_VALUE,
            "Cannot apply array updates to non-array element "
                + ShellText.field(Modifiers.last(path), before));
      }
    }

    private boolean hasArraySteps() {
      return children.keySet().stream().anyMatch(step -> !(step instanceof PathStep.Named));
    }

    private List<Named> named() {
      List<Named> named = new ArrayList<>(children.size());
      for (Map.Entry<PathStep, UpdateNode> child : children.entrySet()) {
        if (child.getKey() instanceof PathStep.Named step) {
          named.add(new Named(step, child.getValue()));
        }
      }
      return named;
    }

    private record Named(PathStep.Named step, UpdateNode node) {
      String name() {
        return step.text();
      }
    }

    /**
     * Removes the child with the name of the field from the list, and returns it if there is one.
     */
    private static @Nullable Named taken(List<Named> rest, Fields field) {
      for (int i = 0; i < rest.size(); i++) {
        if (field.named(rest.get(i).step().utf8())) {
          return rest.remove(i);
        }
      }
      return null;
    }
  }

  /** Merges nodes whose modifiers concern different values. */
  static UpdateNode merged(List<UpdateNode> nodes, String path) {
    UpdateNode merged = nodes.getFirst();
    for (UpdateNode next : nodes.subList(1, nodes.size())) {
      if (!(merged instanceof Branch(SortedMap<PathStep, UpdateNode> one))
          || !(next instanceof Branch(SortedMap<PathStep, UpdateNode> two))) {
        throw new QueryException(
            Reason.BAD_VALUE, CONFLICT, "Update created a conflict at '" + path + "'");
      }
      TreeMap<PathStep, UpdateNode> both = new TreeMap<>(one);
      two.forEach(
          (step, node) ->
              both.merge(step, node, (a, b) -> merged(List.of(a, b), joined(path, step.text()))));
      merged = new Branch(both);
    }
    return merged;
  }

  private static String joined(String path, String step) {
    return path.isEmpty() ? step : path + "." + step;
  }

  private static QueryException notViable(PathStep step, Value before, String path) {
    return UpdateApplication.failure(
        Reason.PATH_NOT_VIABLE,
        "Cannot create field '"
            + step.text()
            + "' in element {"
            + ShellText.field(Modifiers.last(path), before)
            + "}");
  }
}

package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Update operators of single paths, without conflicting paths.
 *
 * <p>Existing fields keep their positions; new ones are appended in the order of their names.
 */
public final class Modifications implements Update {
  private final UpdateNode.Branch root;
  private final Map<String, Filter> arrayFilters;
  private final boolean changesId;
  private final boolean needsPlace;

  private Modifications(
      UpdateNode.Branch root, Map<String, Filter> arrayFilters, boolean needsPlace) {
    this.root = root;
    this.arrayFilters = Map.copyOf(arrayFilters);
    this.changesId = root.children().containsKey(PathStep.Named.of(IdField.ID));
    this.needsPlace = needsPlace;
  }

  /** Builder of modifications. */
  public static final class Builder {
    private final TreeMap<PathStep, UpdateNode> root = new TreeMap<>();
    private boolean needsPlace;

    /**
     * Adds a modifier. Returns false, and adds nothing, if its path equals, extends or is a prefix
     * of an earlier path.
     *
     * @param steps names and array indexes, {@code $} for the index that matched the query, {@code
     *     $[]} for every element, {@code $[name]} for those that match the array filter of that
     *     name
     */
    public boolean add(List<String> steps, Modifier modifier) {
      TreeMap<PathStep, UpdateNode> at = root;
      for (String text : steps.subList(0, steps.size() - 1)) {
        UpdateNode child =
            at.computeIfAbsent(step(text), _ -> new UpdateNode.Branch(new TreeMap<>()));
        if (!(child instanceof UpdateNode.Branch branch)) {
          return false;
        }
        at = (TreeMap<PathStep, UpdateNode>) branch.children();
      }
      return at.putIfAbsent(step(steps.getLast()), new UpdateNode.Leaf(modifier)) == null;
    }

    /**
     * Builds the update.
     *
     * @param arrayFilters by identifier; each filter applies to a document with the element as the
     *     field of that name
     */
    public Modifications build(Map<String, Filter> arrayFilters) {
      return new Modifications(new UpdateNode.Branch(root), arrayFilters, needsPlace);
    }

    private PathStep step(String text) {
      if (text.equals("$")) {
        needsPlace = true;
        return new PathStep.Found();
      }
      if (text.equals("$[]")) {
        return new PathStep.Every();
      }
      return text.startsWith("$[") && text.endsWith("]")
          ? new PathStep.Filtered(text.substring(2, text.length() - 1))
          : PathStep.Named.of(text);
    }
  }

  @Override
  public Document apply(Document before, Scope scope, UpdateContext context) {
    UpdateApplication application = new UpdateApplication(before, context, matchers());
    Document after = root.inObject(before, "", application);
    if (after.equals(before)) {
      return before;
    }
    if (context.inserting() && before.field(IdField.ID).isMissing()) {
      return IdField.first(after, after.field(IdField.ID));
    }
    return changesId ? withSameId(before, after) : after;
  }

  @Override
  public boolean needsPlace() {
    return needsPlace;
  }

  private Map<String, Matcher> matchers() {
    if (arrayFilters.isEmpty()) {
      return Map.of();
    }
    Map<String, Matcher> matchers = new HashMap<>();
    arrayFilters.forEach((name, filter) -> matchers.put(name, filter.matcher(Mode.MATCH)));
    return matchers;
  }

  /** Keeps the bytes of the id if the new one is equal but of another number type. */
  private static Document withSameId(Document before, Document after) {
    Value id = before.field(IdField.ID);
    Value other = after.field(IdField.ID);
    if (id.isMissing() && !other.isMissing()) {
      return IdField.first(after, other);
    }
    if (other.isMissing() || Order.MONGO.compare(id, other) != 0) {
      throw UpdateApplication.failure(
          Reason.IMMUTABLE_FIELD,
          "Performing an update on the path '_id' would modify the immutable field '_id'");
    }
    return IdField.first(after, id);
  }
}

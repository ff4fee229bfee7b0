package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Patch of an item: operations that apply in order, all or none. */
final class Patch {
  private static final int MAX_OPERATIONS = 10;

  private final Container container;
  private final List<PatchOperation> operations;
  private final Optional<Condition> condition;
  private final boolean indexed;

  private Patch(
      Container container,
      List<PatchOperation> operations,
      Optional<Condition> condition,
      boolean indexed) {
    this.container = container;
    this.operations = operations;
    this.condition = condition;
    this.indexed = indexed;
  }

  /** Returns the patch with the item excluded from the index. */
  Patch unindexed() {
    return new Patch(container, operations, condition, false);
  }

  /**
   * Parses a body: an object with operations and an optional condition, or an array of operations.
   *
   * @throws CosmosException 400
   */
  static Patch parse(Value body, Container container, long now) {
    Value list = body.isDocument() ? body.asDocument().field("operations") : body;
    Value condition = body.isDocument() ? body.asDocument().field("condition") : Value.MISSING;
    if (!list.isArray() || list.asDocument().isEmpty()) {
      throw syntax();
    }
    List<PatchOperation> operations = new ArrayList<>();
    Fields elements = list.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.OBJECT) {
        throw syntax();
      }
      operations.add(operation(elements.value().asDocument(), container));
    }
    if (operations.size() > MAX_OPERATIONS) {
      throw CosmosException.wrong("The number of patch operations cannot exceed 10");
    }
    return new Patch(container, operations, condition(condition, container, now), true);
  }

  /** A malformed condition must fail: ignoring it would apply the patch. */
  private static Optional<Condition> condition(Value condition, Container container, long now) {
    if (condition.isMissing() || condition.type() == Type.NULL) {
      return Optional.empty();
    }
    if (condition.type() != Type.STRING) {
      throw syntax();
    }
    String text = condition.asString();
    return text.isBlank()
        ? Optional.empty()
        : Optional.of(Condition.parse("patch", text, container.definition().geospatial(), now));
  }

  private static CosmosException syntax() {
    return CosmosException.wrong("Invalid patch request: check syntax of patch specification");
  }

  private static PatchOperation operation(Document form, Container container) {
    Pointer path = pointer(form, "path");
    checkAllowed(path, container);
    Value value = form.field("value");
    return switch (text(form, "op").toLowerCase(Locale.ROOT)) {
      case "add" -> new PatchOperation.Add(path, required(value));
      case "set" -> new PatchOperation.Set(path, required(value));
      case "replace" -> new PatchOperation.Replace(path, required(value));
      case "remove" -> new PatchOperation.Remove(path);
      case "incr", "increment" -> new PatchOperation.Increment(path, number(value));
      case "move" -> move(pointer(form, "from"), path, container);
      default -> throw syntax();
    };
  }

  private static PatchOperation move(Pointer from, Pointer path, Container container) {
    checkAllowed(from, container);
    if (path.startsWith(from.steps()) && !path.equals(from)) {
      throw CosmosException.wrong("Invalid patch request: a node cannot be moved into itself");
    }
    return new PatchOperation.Move(from, path);
  }

  private static Pointer pointer(Document form, String name) {
    return Pointer.parse(text(form, name)).orElseThrow(Patch::syntax);
  }

  private static String text(Document form, String name) {
    Value value = form.field(name);
    if (value.type() != Type.STRING) {
      throw syntax();
    }
    return value.asString();
  }

  private static Value required(Value value) {
    if (value.isMissing()) {
      throw syntax();
    }
    return value;
  }

  private static Value number(Value value) {
    if (!value.isNumber()) {
      throw syntax();
    }
    return value;
  }

  /** The id and the partition key of an item cannot be patched. */
  private static void checkAllowed(Pointer path, Container container) {
    String root = path.step(0);
    if (root.equals("id") || ItemForm.system(root)) {
      throw CosmosException.wrong(
          "Invalid patch request: Cannot patch system property " + root + ".");
    }
    for (FieldPath key : container.partitionKey().paths()) {
      List<String> steps = new ArrayList<>();
      for (int i = 0; i < key.length(); i++) {
        steps.add(key.step(i));
      }
      if (path.startsWith(steps) || new Pointer(steps).startsWith(path.steps())) {
        throw CosmosException.wrong(
            "Invalid patch request: Cannot patch the partition key at " + path + ".");
      }
    }
  }

  /**
   * Returns the item after all operations.
   *
   * @throws EngineException REJECTED, with a {@link CosmosException} as its cause
   */
  Document apply(StoredDocument stored) {
    try {
      return patched(stored);
    } catch (CosmosException | ValueException failure) {
      throw EngineException.rejected(failure);
    }
  }

  private Document patched(StoredDocument stored) {
    if (condition.isPresent() && !condition.get().holds(ItemForm.of(container, stored))) {
      throw new CosmosException(
          Status.PRECONDITION_FAILED,
          CosmosException.errors("One of the specified pre-condition is not met."));
    }
    Document item = UnindexedFlag.stripped(stored.document());
    for (int i = 0; i < operations.size(); i++) {
      try {
        item = operations.get(i).apply(item);
      } catch (PatchOperation.Impossible impossible) {
        throw CosmosException.wrong("For Operation(" + (i + 1) + "): " + impossible.why());
      }
    }
    Document limited = ItemBody.limited(item);
    return indexed ? limited : UnindexedFlag.marked(limited);
  }
}

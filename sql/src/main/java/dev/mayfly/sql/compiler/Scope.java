package dev.mayfly.sql.compiler;

import dev.mayfly.value.FieldPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Scope of names: those of a query, then those of the enclosing queries. */
final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, Binding> names = new HashMap<>();
  private final Map<String, Integer> gathered = new HashMap<>();
  private boolean grouped;

  /**
   * Binding of a name.
   *
   * @param slot variable of the row
   * @param path of its value in the item, if there is one path
   * @param elements the array it ranges over, if that is in the item
   */
  record Binding(int slot, @Nullable FieldPath path, @Nullable Elements elements) {
    Binding(int slot, @Nullable FieldPath path) {
      this(slot, path, null);
    }
  }

  /**
   * The elements of an array.
   *
   * @param of variable whose value contains the array; null for the item
   * @param path in that value
   */
  record Elements(@Nullable Binding of, FieldPath path) {}

  Scope(@Nullable Scope outer) {
    this.outer = outer;
  }

  void bind(String name, Binding binding) {
    names.put(name, binding);
  }

  boolean binds(String name) {
    return names.containsKey(name);
  }

  /** Returns the number of names bound here, without enclosing scopes. */
  int size() {
    return names.size();
  }

  /** The only name that is bound here. */
  Binding only() {
    return names.values().iterator().next();
  }

  /** Whether no name is known. */
  boolean isEmpty() {
    Scope around = outer;
    return names.isEmpty() && (around == null || around.isEmpty());
  }

  /** Returns the names, here and in enclosing scopes, that range over elements of arrays. */
  List<Binding> ranging() {
    List<Binding> all = new ArrayList<>();
    names.values().stream().filter(binding -> binding.elements() != null).forEach(all::add);
    Scope around = outer;
    if (around != null) {
      all.addAll(around.ranging());
    }
    return all;
  }

  @Nullable Binding find(String name) {
    Binding own = names.get(name);
    Scope around = outer;
    return own != null || around == null ? own : around.find(name);
  }

  /** Whether a name belongs to a grouped query, so that it has no single value. */
  boolean isGathered(String name) {
    Scope around = outer;
    return names.containsKey(name) ? grouped : around != null && around.isGathered(name);
  }

  /** Makes expressions with these texts variables; names of this query have no value any more. */
  void group(Map<String, Integer> slots) {
    grouped = true;
    gathered.putAll(slots);
  }

  /** Whether this or an enclosing query is grouped. */
  boolean isGrouped() {
    Scope around = outer;
    return grouped || (around != null && around.isGrouped());
  }

  /** Returns the variable of an expression by its text; null if there is none. */
  @Nullable Integer gathered(String text) {
    Integer own = gathered.get(text);
    Scope around = outer;
    return own != null || around == null ? own : around.gathered(text);
  }
}

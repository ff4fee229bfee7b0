package dev.mayfly.sql.compiler;

import dev.mayfly.value.FieldPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names that an expression may use: those of its own query, then those of the queries around
 * it.
 */
final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, Binding> names = new HashMap<>();
  private final Map<String, Integer> gathered = new HashMap<>();
  private boolean grouped;

  /**
   * What a name stands for.
   *
   * @param slot the variable of the row
   * @param path where in the item its value lies, when that is one place
   * @param elements what it ranges over, when that is an array in the item
   */
  record Binding(int slot, @Nullable FieldPath path, @Nullable Elements elements) {
    Binding(int slot, @Nullable FieldPath path) {
      this(slot, path, null);
    }
  }

  /**
   * The elements of an array.
   *
   * @param of the variable in whose value the array lies; the item when it is missing
   * @param path where in that value
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

  /** How many names are bound here, not counting those around. */
  int size() {
    return names.size();
  }

  /** The only name that is bound here. */
  Binding only() {
    return names.values().iterator().next();
  }

  /** True when no name is known at all. */
  boolean isEmpty() {
    Scope around = outer;
    return names.isEmpty() && (around == null || around.isEmpty());
  }

  /** The names here and around that range over the elements of arrays. */
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

  /**
   * True when the name belongs to a query whose groups are looked at, so that it has no one value.
   */
  boolean isGathered(String name) {
    Scope around = outer;
    return names.containsKey(name) ? grouped : around != null && around.isGathered(name);
  }

  /**
   * From here on, the expressions of these texts are variables, and names of this query have no
   * value.
   */
  void group(Map<String, Integer> slots) {
    grouped = true;
    gathered.putAll(slots);
  }

  /** True when any query around looks at its groups. */
  boolean isGrouped() {
    Scope around = outer;
    return grouped || (around != null && around.isGrouped());
  }

  /** The variable that stands for the expression of this text, if one does. */
  @Nullable Integer gathered(String text) {
    Integer own = gathered.get(text);
    Scope around = outer;
    return own != null || around == null ? own : around.gathered(text);
  }
}

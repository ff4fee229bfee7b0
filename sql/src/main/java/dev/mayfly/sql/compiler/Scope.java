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
  private final Map<String, Integer> groupSlots = new HashMap<>();
  private boolean grouped;

  /**
   * Binding of a name.
   *
   * @param slot variable of the row
   * @param path path of its value in the item, if there is one
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
   * @param path path of the array in that value
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

  /** Returns the binding of the only name that is bound here. */
  Binding only() {
    return names.values().iterator().next();
  }

  /** Whether no name is known. */
  boolean isEmpty() {
    Scope enclosing = outer;
    return names.isEmpty() && (enclosing == null || enclosing.isEmpty());
  }

  /** Returns the names, here and in enclosing scopes, that range over elements of arrays. */
  List<Binding> ranging() {
    List<Binding> all = new ArrayList<>();
    names.values().stream().filter(binding -> binding.elements() != null).forEach(all::add);
    Scope enclosing = outer;
    if (enclosing != null) {
      all.addAll(enclosing.ranging());
    }
    return all;
  }

  @Nullable Binding find(String name) {
    Binding local = names.get(name);
    Scope enclosing = outer;
    return local != null || enclosing == null ? local : enclosing.find(name);
  }

  /** Whether a name belongs to a grouped query, so that it has no single value. */
  boolean isUngrouped(String name) {
    Scope enclosing = outer;
    return names.containsKey(name) ? grouped : enclosing != null && enclosing.isUngrouped(name);
  }

  /**
   * Groups the query: expressions with these texts become variables, its names lose their values.
   */
  void group(Map<String, Integer> slots) {
    grouped = true;
    groupSlots.putAll(slots);
  }

  /** Whether this or an enclosing query is grouped. */
  boolean isGrouped() {
    Scope enclosing = outer;
    return grouped || (enclosing != null && enclosing.isGrouped());
  }

  /** Returns the variable of an expression by its text; null if there is none. */
  @Nullable Integer groupSlot(String text) {
    Integer local = groupSlots.get(text);
    Scope enclosing = outer;
    return local != null || enclosing == null ? local : enclosing.groupSlot(text);
  }
}

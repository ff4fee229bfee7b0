package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.value.Document;
import java.util.function.Predicate;

/** Understands the conditions of patches, which are written in the query language. */
public interface Conditions {
  /**
   * What a condition, such as {@code from c where c.total > 5}, says about an item with its system
   * properties.
   *
   * @param now epoch milliseconds that functions of time go by
   * @throws dev.mayfly.cosmos.rest.Refusal 400 when it is none
   */
  Predicate<Document> compile(Container container, String condition, long now);
}

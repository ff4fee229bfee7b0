package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.http.Request;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a container that a request is limited to: by the first values of the partition key,
 * by a range of effective keys, or not at all.
 *
 * @param prefix the values that the partition key begins with; empty for any
 * @param from the lowest effective key, inclusive
 * @param to the first effective key beyond
 */
public record KeyRange(List<Value> prefix, String from, String to) {
  /** Everything. */
  public static final KeyRange ALL = new KeyRange(List.of(), "", EffectiveKey.END);

  public KeyRange {
    prefix = List.copyOf(prefix);
  }

  /** What the headers of a request say. */
  public static KeyRange of(Request request, Container container) {
    Optional<List<Value>> key = PartitionKeys.prefix(request, container);
    return new KeyRange(
        key.orElse(List.of()),
        digits(request.header(HeaderNames.START_EPK), ALL.from),
        digits(request.header(HeaderNames.END_EPK), ALL.to));
  }

  private static String digits(@Nullable String header, String otherwise) {
    return header == null || header.isEmpty() ? otherwise : header.toUpperCase(Locale.ROOT);
  }

  /** Whether an item lies here. */
  public boolean holds(Container container, Document item) {
    return !bounded() || holds(container, PartitionKeys.of(container, item));
  }

  /** Whether items of a whole partition key lie here. */
  public boolean holds(Container container, List<Value> key) {
    if (!bounded()) {
      return true;
    }
    for (int i = 0; i < prefix.size(); i++) {
      if (!PartitionKeys.same(prefix.get(i), key.get(i))) {
        return false;
      }
    }
    return !hashed() || between(PartitionKeys.effective(container.partitionKey(), key));
  }

  private boolean bounded() {
    return !prefix.isEmpty() || hashed();
  }

  /** Whether it is limited by effective keys. */
  public boolean hashed() {
    return !from.isEmpty() || !to.equals(EffectiveKey.END);
  }

  private boolean between(String effective) {
    return from.compareTo(effective) <= 0 && effective.compareTo(to) < 0;
  }
}

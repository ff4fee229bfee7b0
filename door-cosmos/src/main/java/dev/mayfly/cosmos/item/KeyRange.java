package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Range of partition keys that a request is limited to: by the first values of the key, by
 * effective keys, or not at all.
 *
 * @param prefix first values of the partition key; empty for any
 * @param from lowest effective key, inclusive
 * @param to highest effective key, exclusive
 */
public record KeyRange(List<Value> prefix, String from, String to) {
  private static final String RANGE = "0";
  private static final int PARTITION_KEY_RANGE_GONE = 1002;
  private static final Set<String> KEY_TYPES =
      Set.of("resourceid", "effectivepartitionkey", "effectivepartitionkeyrange");

  /** All partition keys. */
  public static final KeyRange ALL = new KeyRange(List.of(), "", EffectiveKey.END);

  public KeyRange {
    prefix = List.copyOf(prefix);
  }

  /**
   * Parses the headers of a request.
   *
   * @throws CosmosException 400 if they are malformed; 410 with 1002 if the range does not exist
   */
  public static KeyRange of(Request request, Container container) {
    checkRange(request);
    checkKeyType(request);
    Optional<List<Value>> key = PartitionKeys.prefix(request, container);
    return new KeyRange(
        key.orElse(List.of()),
        digits(request, HeaderNames.START_EPK, ALL.from),
        digits(request, HeaderNames.END_EPK, ALL.to));
  }

  /**
   * Checks that a request names the only range; otherwise the client has to reload the ranges.
   *
   * @throws CosmosException 410 with 1002
   */
  static void checkRange(Request request) {
    String named = request.header(HeaderNames.PARTITION_KEY_RANGE_ID);
    if (named == null || named.isEmpty()) {
      return;
    }
    // may be prefixed with the rid of the container
    if (!named.substring(named.lastIndexOf(',') + 1).equals(RANGE)) {
      throw new CosmosException(
          Status.GONE,
          PARTITION_KEY_RANGE_GONE,
          CosmosException.errors(
              "The requested partition key range is no longer available: " + named));
    }
  }

  private static void checkKeyType(Request request) {
    String type = request.header(HeaderNames.READ_KEY_TYPE);
    if (type != null && !type.isEmpty() && !KEY_TYPES.contains(type.toLowerCase(Locale.ROOT))) {
      throw CosmosException.header(HeaderNames.READ_KEY_TYPE, type);
    }
  }

  private static String digits(Request request, String name, String standard) {
    String header = request.header(name);
    if (header == null || header.isEmpty()) {
      return standard;
    }
    if (header.length() % 2 != 0 || !header.chars().allMatch(HexFormat::isHexDigit)) {
      throw CosmosException.header(name, header);
    }
    return header.toUpperCase(Locale.ROOT);
  }

  /** Whether an item is in the range. */
  public boolean includes(Container container, Document item) {
    return !bounded() || includes(container, PartitionKeys.of(container, item));
  }

  /** Whether items of a complete partition key are in the range. */
  public boolean includes(Container container, List<Value> key) {
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

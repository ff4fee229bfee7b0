package dev.mayfly.cosmos.rest;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Address of a resource: resource types and ids in turn, such as {@code
 * /dbs/sales/colls/orders/docs/SO05}. An address that ends with a type is a feed: all resources of
 * that type.
 *
 * <p>The ids are names, or all of them are {@linkplain Rid rids}. Immutable.
 */
public final class Address {
  private static final int DATABASE_RID_LENGTH = 8;
  private static final int DATABASE_RID_BYTES_END = 6;

  private final List<ResourceType> types;
  private final List<String> ids;
  private final String link;
  private final boolean byRid;
  private final String path;

  private Address(
      String path, List<ResourceType> types, List<String> ids, boolean byRid, String link) {
    this.path = path;
    this.types = types;
    this.ids = ids;
    this.byRid = byRid;
    this.link = link;
  }

  /**
   * Parses a percent-encoded path.
   *
   * @throws CosmosException 404 if the path is unknown, 400 if an escape is malformed
   */
  public static Address of(String path) {
    List<ResourceType> types = new ArrayList<>(3);
    List<String> ids = new ArrayList<>(3);
    int start = 0;
    while (path.startsWith("/", start)) {
      // some clients join an endpoint that ends with a slash and a path that begins with one
      start++;
    }
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    for (int at = start; at < end; ) {
      int slash = path.indexOf('/', at);
      int stop = slash < 0 || slash > end ? end : slash;
      String segment = path.substring(at, stop);
      if (types.size() == ids.size()) {
        types.add(ResourceType.of(segment).orElseThrow(Address::unknownPath));
      } else {
        ids.add(decoded(segment));
      }
      at = stop + 1;
    }
    boolean byRid = byRid(types, ids);
    return new Address(path, types, ids, byRid, link(types, ids, byRid));
  }

  private static CosmosException unknownPath() {
    return new CosmosException(
        Status.NOT_FOUND, CosmosException.errors("The requested path is unknown."));
  }

  private static String decoded(String segment) {
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    try {
      // a plus sign in a path is literal, but URLDecoder would decode it to a space
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw new CosmosException(
          Status.BAD_REQUEST, CosmosException.errors("The request path is not properly escaped."));
    }
  }

  private static boolean byRid(List<ResourceType> types, List<String> ids) {
    if (ids.isEmpty()) {
      return false;
    }
    return switch (types.getFirst()) {
      case OFFER, MEDIA -> true;
      case DATABASE -> databaseRid(ids.getFirst());
      default -> false;
    };
  }

  /** Four bytes in base64; a database with such a name is still found by its name. */
  private static boolean databaseRid(String id) {
    return id.length() == DATABASE_RID_LENGTH
        && id.indexOf('=') == DATABASE_RID_BYTES_END
        && Rid.parse(id).isPresent();
  }

  private static String link(List<ResourceType> types, List<String> ids, boolean byRid) {
    if (byRid) {
      return signed(types.getFirst(), ids.getLast()).toLowerCase(Locale.ROOT);
    }
    if (ids.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ids.size(); i++) {
      text.append(i == 0 ? "" : "/").append(types.get(i).word()).append('/').append(ids.get(i));
    }
    return text.toString();
  }

  /** Media are signed by the rid of their attachment. */
  private static String signed(ResourceType root, String id) {
    return root == ResourceType.MEDIA ? Rid.ofMedia(id).map(Rid::text).orElse(id) : id;
  }

  /** Returns the path that it was parsed from. */
  public String path() {
    return path;
  }

  /** Returns the type of the resource, or of the resources of a feed. */
  public ResourceType type() {
    return types.isEmpty() ? ResourceType.ACCOUNT : types.getLast();
  }

  /** Whether it is a feed: all resources of a type. */
  public boolean feed() {
    return types.size() > ids.size();
  }

  /** Whether the ids are rids. */
  public boolean byRid() {
    return byRid;
  }

  /** Returns the id of the database; empty if there is none. */
  public String database() {
    return id(ResourceType.DATABASE).orElse("");
  }

  /** Returns the id of the container; empty if there is none. */
  public String container() {
    return ids.size() > 1 && types.get(1) == ResourceType.CONTAINER ? ids.get(1) : "";
  }

  /** Returns the last id: of the resource, or of the owner of a feed; empty if there is none. */
  public String id() {
    return ids.isEmpty() ? "" : ids.getLast();
  }

  /** Returns the id of the resource of a type on the path. */
  public Optional<String> id(ResourceType type) {
    for (int i = 0; i < ids.size(); i++) {
      if (types.get(i) == type) {
        return Optional.of(ids.get(i));
      }
    }
    return Optional.empty();
  }

  /** Returns the number of ids. */
  public int depth() {
    return ids.size();
  }

  /** Returns the link that clients sign: of the resource or of a feed's owner; or its rid alone. */
  public String link() {
    return link;
  }
}

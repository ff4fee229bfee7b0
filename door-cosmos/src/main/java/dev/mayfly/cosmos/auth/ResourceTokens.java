package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Database;
import dev.mayfly.cosmos.http.Request;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Tokens that let their bearer do some things for some time: what a permission says and an expiry,
 * signed with the master key. A token ends with its permission.
 */
public final class ResourceTokens {
  private static final long MILLIS = 1000;

  private final MasterKey key;
  private final Containers containers;

  public ResourceTokens(MasterKey key, Containers containers) {
    this.key = key;
    this.containers = containers;
  }

  /**
   * A new token.
   *
   * @param permission the link of the permission
   * @param now epoch milliseconds of the clients' time
   */
  public String issue(String permission, long now, long seconds) {
    Document claim =
        Document.writer()
            .put("permission", permission)
            .put("until", now / MILLIS + seconds)
            .build();
    String text = Json.write(claim);
    return "type=resource&ver=1.0&sig="
        + Base64.getEncoder().encodeToString(key.sign(text))
        + ";"
        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
        + ";";
  }

  /** Lets a request with a token pass, or refuses it. */
  void check(Credential credential, Request request, Address address, long now) {
    Document claim = claim(credential.signature());
    if (now / MILLIS >= claim.field("until").asLong()) {
      throw new Refusal(
          Status.FORBIDDEN,
          "The authorization token is not valid at the current time. Please create another token"
              + " and retry.");
    }
    Document permission =
        containers
            .metadata()
            .find(claim.field("permission").asString())
            .orElseThrow(ResourceTokens::refused)
            .body();
    boolean all = permission.field("permissionMode").asString().equalsIgnoreCase("all");
    boolean scoped = covers(permission, request, address);
    if (!scoped || !(all || reads(Verb.of(request, address)))) {
      throw new Refusal(
          Status.FORBIDDEN,
          "Insufficient permissions provided in the authorization header for the corresponding"
              + " request. Please retry with another authorization header.");
    }
  }

  private Document claim(String text) {
    int end = text.indexOf(';');
    if (end < 0) {
      throw refused();
    }
    try {
      byte[] signature = Base64.getDecoder().decode(text.substring(0, end));
      byte[] claim = Base64.getDecoder().decode(text.substring(end + 1).replace(";", ""));
      if (!key.signed(new String(claim, StandardCharsets.UTF_8), signature)) {
        throw refused();
      }
      return Json.parse(claim, Limits.COSMOS);
    } catch (IllegalArgumentException | ValueException broken) {
      throw refused();
    }
  }

  private static Refusal refused() {
    return Guard.unauthorized("The input authorization token can't serve the request.");
  }

  private static boolean reads(Verb verb) {
    return switch (verb) {
      case READ, LIST, CHANGES, VERSIONS, QUERY, PLAN -> true;
      case CREATE, UPSERT, BATCH, REPLACE, PATCH, DELETE, EXECUTE, NONE -> false;
    };
  }

  /** Whether a request stays within what a permission is for. */
  private boolean covers(Document permission, Request request, Address address) {
    String granted = path(Address.of(permission.field("resource").asString()));
    String asked = path(address);
    boolean within = asked.equals(granted) || asked.startsWith(granted + "/");
    return (within && inPartition(permission, request, address))
        || address.type() == ResourceType.ACCOUNT
        || (container(address).equals(Optional.of(granted)) && aboutContainer(address, request));
  }

  private Optional<String> container(Address address) {
    return containers.container(address).map(Container::link);
  }

  /** Clients read the container and its ranges before they come to its items. */
  private static boolean aboutContainer(Address address, Request request) {
    boolean known =
        address.type() == ResourceType.CONTAINER
            || address.type() == ResourceType.PARTITION_KEY_RANGE;
    return known && request.method().equals("GET");
  }

  private static boolean inPartition(Document permission, Request request, Address address) {
    var granted = permission.field("resourcePartitionKey");
    if (!granted.isArray() || address.type() != ResourceType.ITEM) {
      return true;
    }
    String asked = request.header(HeaderNames.PARTITION_KEY);
    return asked != null && sameKey(asked, Json.write(granted));
  }

  private static boolean sameKey(String asked, String granted) {
    try {
      return Json.write(Json.parseValue(asked, Limits.COSMOS)).equals(granted);
    } catch (ValueException broken) {
      return false;
    }
  }

  /** The address by names as far as databases and containers go. */
  private String path(Address address) {
    Optional<Container> container = containers.container(address);
    if (container.isPresent()) {
      String rest = rest(address.link(), address.byRid() ? "" : container.get().link());
      return address.byRid() && address.depth() > 2
          ? container.get().link() + "/" + address.type().word() + "/" + address.id()
          : container.get().link() + rest;
    }
    return containers.database(address).map(Database::link).orElse(address.link());
  }

  private static String rest(String link, String owner) {
    return owner.isEmpty() ? "" : link.substring(Math.min(owner.length(), link.length()));
  }
}

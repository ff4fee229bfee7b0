package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

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
      throw new CosmosException(
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
    boolean scoped = new PermissionScope(containers, permission).covers(request, address);
    if (!scoped || !(all || reads(Verb.of(request, address)))) {
      throw new CosmosException(
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

  private static CosmosException refused() {
    return Guard.unauthorized("The input authorization token can't serve the request.");
  }

  private static boolean reads(Verb verb) {
    return switch (verb) {
      case READ, LIST, CHANGES, VERSIONS, QUERY, PLAN -> true;
      case CREATE, UPSERT, BATCH, REPLACE, PATCH, DELETE, EXECUTE, NONE -> false;
    };
  }
}

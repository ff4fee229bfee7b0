package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.expiry.Clock;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Resource tokens: the link of a permission and an expiry time, signed with the master key.
 *
 * <p>A token proves that it was issued for a permission. {@link Permissions} of the engine that
 * stores the permission decides whether it still exists and what it allows. One per server; safe
 * for many threads.
 */
public final class ResourceTokens {
  private static final long MILLIS = 1000;

  private final MasterKey key;
  private final Clock wall;

  /**
   * @param wall clock of clients, which may differ from the clock of an engine
   */
  public ResourceTokens(MasterKey key, Clock wall) {
    this.key = key;
    this.wall = wall;
  }

  /**
   * Issues a token.
   *
   * @param permission link of the permission
   * @param seconds how long the token is valid
   */
  public String issue(String permission, long seconds) {
    Document claim =
        Document.writer()
            .put("permission", permission)
            .put("until", wall.now() / MILLIS + seconds)
            .build();
    String text = Json.write(claim);
    return "type=resource&ver=1.0&sig="
        + Base64.getEncoder().encodeToString(key.sign(text))
        + ";"
        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
        + ";";
  }

  /**
   * Verifies the signature and the expiry time of a token, and returns the link of its permission.
   *
   * @throws CosmosException 401, 403
   */
  String verify(Credential credential) {
    Document claim = claim(credential.signature());
    if (wall.now() / MILLIS >= claim.field("until").asLong()) {
      throw new CosmosException(
          Status.FORBIDDEN,
          "The authorization token is not valid at the current time. Please create another token"
              + " and retry.");
    }
    return claim.field("permission").asString();
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
    } catch (IllegalArgumentException | ValueException malformed) {
      throw refused();
    }
  }

  static CosmosException refused() {
    return Guard.unauthorized("The input authorization token can't serve the request.");
  }
}

package dev.mayfly.admin;

import dev.mayfly.cosmos.auth.LocalRequests;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.auth.Signatures;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;

/**
 * Who may ask as an operator: programs on this machine, unless everybody has to log in; else who
 * signs with the key of the Cosmos door as its clients do, or shows that key; through TLS when from
 * another machine.
 *
 * <p>Pages in a browser on this machine are no programs of its user: they say where they come from,
 * or call the machine by a name of their own.
 */
public final class AdminAuth {
  private static final String SCHEME = "bearer ";

  /** What stands for the type of a resource where a request is signed. */
  private static final String SIGNED_TYPE = "_mayfly";

  private final byte[] key;
  private final Signatures signatures;
  private final boolean open;
  private final boolean wellKnown;
  private final LocalRequests local;

  /**
   * A doorkeeper.
   *
   * @param wall the time that signatures go by
   * @param open whether programs on this machine are let in without the key
   * @param local which requests are of this machine; a key that everybody knows is for them alone
   */
  public AdminAuth(String key, Clock wall, boolean open, LocalRequests local) {
    this.wellKnown = key.equals(MasterKey.WELL_KNOWN);
    this.local = local;
    this.key = key.getBytes(StandardCharsets.UTF_8);
    this.signatures = new Signatures(new MasterKey(key), wall);
    this.open = open;
  }

  /**
   * Lets a request pass.
   *
   * @throws AdminException 401, 403
   */
  public void check(Request request) {
    if (request.header("origin") != null) {
      throw new AdminException(403, "Pages of a browser are not let in.");
    }
    boolean here = request.peer().getAddress().isLoopbackAddress();
    if (open && local.includes(request)) {
      return;
    }
    if (wellKnown && !local.includes(request)) {
      throw new AdminException(
          401, "The key of the emulator is for programs on this machine that call it localhost.");
    }
    if (!here && !request.secure()) {
      throw new AdminException(403, "From another machine, use https.");
    }
    String shown = request.header("authorization");
    if (shown == null) {
      throw new AdminException(
          401, "The key of the Cosmos door is needed: authorization: Bearer KEY, or a signature.");
    }
    if (shown.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      checkKey(shown);
    } else {
      checkSignature(request);
    }
  }

  private void checkSignature(Request request) {
    try {
      signatures.check(request, SIGNED_TYPE, request.path().substring(1));
    } catch (CosmosException refused) {
      throw new AdminException(401, String.valueOf(refused.getMessage()));
    }
  }

  private void checkKey(String shown) {
    byte[] bytes = shown.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(key, bytes)) {
      throw new AdminException(401, "That is not the key of the Cosmos door.");
    }
  }
}

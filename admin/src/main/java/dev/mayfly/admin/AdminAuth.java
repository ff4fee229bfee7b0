package dev.mayfly.admin;

import dev.mayfly.cosmos.auth.LocalRequests;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.auth.Signatures;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.http.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;

/**
 * Authorization of the admin API. Programs on this machine need no key, unless {@code auth} is
 * {@code always}. Others send the master key or sign with it, as Cosmos DB clients do, over TLS if
 * they are on another machine.
 *
 * <p>Requests of web pages are rejected: a browser sends an {@code Origin} header, or a {@code
 * Host} that is not this machine.
 */
public final class AdminAuth {
  private static final String SCHEME = "bearer ";

  /** Resource type in signatures. */
  private static final String SIGNED_TYPE = "_mayfly";

  private final byte[] key;
  private final Signatures signatures;
  private final boolean open;
  private final boolean wellKnown;
  private final LocalRequests local;
  private final boolean emulator;

  /**
   * Creates the authorization of a server.
   *
   * @param signatures checks signatures with the key
   * @param open whether programs on this machine need no key
   * @param local detects requests from this machine; the emulator's key is valid only for them
   * @param emulator whether every key is valid from everywhere, also without TLS
   */
  public AdminAuth(
      String key, Signatures signatures, boolean open, LocalRequests local, boolean emulator) {
    this.wellKnown = key.equals(MasterKey.WELL_KNOWN);
    this.local = local;
    this.emulator = emulator;
    this.key = key.getBytes(StandardCharsets.UTF_8);
    this.signatures = signatures;
    this.open = open;
  }

  /**
   * Checks a request.
   *
   * @throws AdminException 401, 403
   */
  public void check(Request request) {
    if (request.header("origin") != null) {
      throw new AdminException(403, "Requests with an Origin header are rejected.");
    }
    boolean here = request.peer().getAddress().isLoopbackAddress();
    if (open && local.includes(request)) {
      return;
    }
    if (!emulator && wellKnown && !local.includes(request)) {
      throw new AdminException(
          401,
          "The emulator's key is accepted only from programs on this machine that"
              + " connect to localhost.");
    }
    if (!emulator && !here && !request.secure()) {
      throw new AdminException(403, "Use https from another machine.");
    }
    String header = request.header("authorization");
    if (header == null) {
      throw new AdminException(
          401, "The master key is required: send 'authorization: Bearer KEY', or a signature.");
    }
    if (header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      checkKey(header);
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

  private void checkKey(String header) {
    byte[] bytes = header.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(key, bytes)) {
      throw new AdminException(401, "This is not the master key of the server.");
    }
  }
}

package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.http.Request;
import java.util.List;
import java.util.Optional;

/**
 * Authentication of requests: by a signature with the master key, or by a resource token.
 *
 * <p>One per server; needs no engine. {@link Permissions} then checks what a token's permission
 * allows.
 */
public final class Guard {
  private final Signatures signatures;
  private final ResourceTokens tokens;
  private final Optional<LocalRequests> only;

  /**
   * @param only the requests that are accepted if the key is well known; empty for all requests
   */
  public Guard(Signatures signatures, ResourceTokens tokens, Optional<LocalRequests> only) {
    this.signatures = signatures;
    this.tokens = tokens;
    this.only = only;
  }

  /**
   * Authenticates a request.
   *
   * <p>Some clients send a question mark in the id of an item without escaping it. The signature
   * shows whether it belongs to the id or begins a query string. A token does not sign the path,
   * and the protocol has no query strings: with a token it belongs to the id.
   *
   * @throws CosmosException 401, 403; 404 if the path is unknown
   */
  public AuthResult check(Request request) {
    Address plain = Address.of(request.path());
    String header = request.header(HeaderNames.AUTHORIZATION);
    if (header == null) {
      throw unauthorized(
          "Required Header authorization is missing. Ensure a valid Authorization token is"
              + " passed.");
    }
    if (only.isPresent() && !only.get().includes(request)) {
      throw new CosmosException(
          Status.FORBIDDEN,
          "The emulator's key is public, so it is accepted only from programs on this machine"
              + " that connect to localhost, 127.0.0.1, [::1] or the advertised-host. For other"
              + " clients, start the server with another key (MAYFLY_COSMOS_KEY).");
    }
    Credential credential = Credential.parse(header).orElseThrow(Guard::unknownFormat);
    Optional<Address> whole = whole(request, plain);
    return switch (credential.type()) {
      case "master" -> new AuthResult(signed(credential, request, plain, whole), Optional.empty());
      case "resource" ->
          new AuthResult(whole.orElse(plain), Optional.of(tokens.verify(credential)));
      default -> throw unknownFormat();
    };
  }

  /** Returns the address of an item whose id contains a question mark. */
  private static Optional<Address> whole(Request request, Address plain) {
    if (request.target().equals(request.path()) || !isNamedItem(plain)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Address.of(request.target())).filter(Guard::isNamedItem);
    } catch (CosmosException unknownPath) {
      return Optional.empty();
    }
  }

  private static boolean isNamedItem(Address address) {
    return address.type() == ResourceType.ITEM && !address.feed() && !address.byRid();
  }

  private static CosmosException unknownFormat() {
    return unauthorized(
        "The input authorization token is not in a valid format: type=master or type=resource is"
            + " expected.");
  }

  static CosmosException unauthorized(String message) {
    return new CosmosException(Status.UNAUTHORIZED, message);
  }

  /** Returns the address that the client has signed. */
  private Address signed(
      Credential credential, Request request, Address plain, Optional<Address> whole) {
    Optional<Address> signedWhole =
        whole.filter(
            item ->
                signatures.isSigned(
                    credential, request, type(item), links(request.target(), item)));
    Address address = signedWhole.orElse(plain);
    String path = signedWhole.isPresent() ? request.target() : request.path();
    signatures.check(credential, request, type(address), links(path, address));
    return address;
  }

  static String type(Address address) {
    boolean operation = address.type() == ResourceType.OPERATION;
    return operation ? ResourceType.CONTAINER.word() : address.type().word();
  }

  /** An operation is signed as its container. */
  private static String containerOf(String link) {
    int at = link.indexOf("/" + ResourceType.OPERATION.word());
    return at < 0 ? link : link.substring(0, at);
  }

  /** Returns the link that a signature is made for. */
  static String link(String path, Address address) {
    return links(path, address).getFirst();
  }

  /** Returns the links that a client may have signed: some sign names as escaped in the path. */
  private static List<String> links(String path, Address address) {
    if (address.type() == ResourceType.OPERATION) {
      return List.of(containerOf(address.link()));
    }
    if (path.indexOf('%') < 0 || address.link().isEmpty()) {
      return List.of(address.link());
    }
    int end = address.feed() ? path.lastIndexOf('/') : path.length();
    return List.of(address.link(), path.substring(1, end));
  }
}

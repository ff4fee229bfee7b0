package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Request;
import java.util.List;
import java.util.Optional;

/** Lets in who has signed with the master key, or shows a token for what is asked. */
public final class Guard {
  private final Signatures signatures;
  private final ResourceTokens tokens;
  private final Clock wall;
  private final Optional<LocalRequests> only;

  /**
   * A guard.
   *
   * @param wall the time that clients go by, whatever the time of the engine
   * @param only the requests that are let in, where everybody knows the key; empty for all
   */
  public Guard(MasterKey key, ResourceTokens tokens, Clock wall, Optional<LocalRequests> only) {
    this.signatures = new Signatures(key, wall);
    this.tokens = tokens;
    this.wall = wall;
    this.only = only;
  }

  /**
   * Lets a request pass.
   *
   * <p>Some clients send a question mark in the id of an item without an escape. What they have
   * signed tells it from the beginning of a query string. A token signs nothing, and the protocol
   * has no query strings: with a token it belongs to the id.
   *
   * @return where the request goes
   * @throws CosmosException 401, 403; 404 when the path leads nowhere
   */
  public Address check(Request request) {
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
          "Everybody knows the key of the emulator: it is accepted from programs on this machine"
              + " that call it localhost, 127.0.0.1, [::1] or by its advertised-host. For others,"
              + " start the server with a key of your own (MAYFLY_COSMOS_KEY).");
    }
    Credential credential = Credential.parse(header).orElseThrow(Guard::unknownFormat);
    Optional<Address> whole = whole(request, plain);
    return switch (credential.type()) {
      case "master" -> signed(credential, request, plain, whole);
      case "resource" -> granted(credential, request, whole.orElse(plain));
      default -> throw unknownFormat();
    };
  }

  /** The address of an item whose id has a question mark and what follows it. */
  private static Optional<Address> whole(Request request, Address plain) {
    if (request.target().equals(request.path()) || !isNamedItem(plain)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Address.of(request.target())).filter(Guard::isNamedItem);
    } catch (CosmosException leadsNowhere) {
      return Optional.empty();
    }
  }

  private static boolean isNamedItem(Address address) {
    return address.type() == ResourceType.ITEM && !address.feed() && !address.byRid();
  }

  private Address granted(Credential credential, Request request, Address address) {
    tokens.check(credential, request, address, wall.now());
    return address;
  }

  private static CosmosException unknownFormat() {
    return unauthorized(
        "The input authorization token is not in a valid format: type=master or type=resource is"
            + " expected.");
  }

  static CosmosException unauthorized(String message) {
    return new CosmosException(Status.UNAUTHORIZED, message);
  }

  /** The address that a client has signed. */
  private Address signed(
      Credential credential, Request request, Address plain, Optional<Address> whole) {
    Optional<Address> meant =
        whole.filter(
            item ->
                signatures.isSigned(
                    credential, request, type(item), links(request.target(), item)));
    Address address = meant.orElse(plain);
    String path = meant.isPresent() ? request.target() : request.path();
    signatures.check(credential, request, type(address), links(path, address));
    return address;
  }

  private static String type(Address address) {
    boolean operation = address.type() == ResourceType.OPERATION;
    return operation ? ResourceType.CONTAINER.word() : address.type().word();
  }

  /** An operation is signed as its container. */
  private static String operatedOn(String link) {
    int at = link.indexOf("/" + ResourceType.OPERATION.word());
    return at < 0 ? link : link.substring(0, at);
  }

  /** Some clients sign names with the escapes of the path. */
  private static List<String> links(String path, Address address) {
    if (address.type() == ResourceType.OPERATION) {
      return List.of(operatedOn(address.link()));
    }
    if (path.indexOf('%') < 0 || address.link().isEmpty()) {
      return List.of(address.link());
    }
    int end = address.feed() ? path.lastIndexOf('/') : path.length();
    return List.of(address.link(), path.substring(1, end));
  }
}

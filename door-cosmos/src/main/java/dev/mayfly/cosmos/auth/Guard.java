package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.http.Request;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.expiry.Clock;
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
   * @throws Refusal 401, 403
   */
  public void check(Request request, Address address) {
    String header = request.header(HeaderNames.AUTHORIZATION);
    if (header == null) {
      throw unauthorized(
          "Required Header authorization is missing. Ensure a valid Authorization token is"
              + " passed.");
    }
    if (only.isPresent() && !only.get().includes(request)) {
      throw new Refusal(
          Status.FORBIDDEN,
          "Everybody knows the key of the emulator: it is accepted from programs on this machine"
              + " that call it localhost, 127.0.0.1, [::1] or by its advertised-host. For others,"
              + " start the server with a key of your own (MAYFLY_COSMOS_KEY).");
    }
    Credential credential = Credential.parse(header).orElseThrow(Guard::unknownFormat);
    switch (credential.type()) {
      case "master" -> checkMaster(credential, request, address);
      case "resource" -> tokens.check(credential, request, address, wall.now());
      default -> throw unknownFormat();
    }
  }

  private static Refusal unknownFormat() {
    return unauthorized(
        "The input authorization token is not in a valid format: type=master or type=resource is"
            + " expected.");
  }

  static Refusal unauthorized(String message) {
    return new Refusal(Status.UNAUTHORIZED, message);
  }

  private void checkMaster(Credential credential, Request request, Address address) {
    boolean operation = address.type() == ResourceType.OPERATION;
    String type = operation ? ResourceType.CONTAINER.word() : address.type().word();
    List<String> links =
        operation ? List.of(operatedOn(address.link())) : links(request.path(), address);
    signatures.check(credential, request, type, links);
  }

  /** An operation is signed as its container. */
  private static String operatedOn(String link) {
    int at = link.indexOf("/" + ResourceType.OPERATION.word());
    return at < 0 ? link : link.substring(0, at);
  }

  /** Some clients sign names with the escapes of the path. */
  private static List<String> links(String path, Address address) {
    if (path.indexOf('%') < 0 || address.link().isEmpty()) {
      return List.of(address.link());
    }
    int end = address.feed() ? path.lastIndexOf('/') : path.length();
    return List.of(address.link(), path.substring(1, end));
  }
}

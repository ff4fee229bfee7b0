package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Makes signed requests to the door in this process. Safe for many threads. */
public final class RequestSigner {
  private static final String LATEST_VERSION = "2020-07-15";

  private final MasterKey key;
  private final Clock wall;

  /**
   * Creates a signer for one key.
   *
   * @param wall clock of clients, as for {@link Signatures}
   */
  public RequestSigner(MasterKey key, Clock wall) {
    this.key = key;
    this.wall = wall;
  }

  /**
   * Returns a signed request.
   *
   * @param headers in lower case; the date and the authorization are added
   * @param gone whether the caller has stopped waiting for the reply
   * @throws CosmosException 404 if the path is unknown
   */
  public Request sign(
      String method, String path, Map<String, String> headers, byte[] body, BooleanSupplier gone) {
    Address address = Address.of(path);
    Map<String, String> fields = new HashMap<>(headers);
    fields.putIfAbsent(HeaderNames.VERSION, LATEST_VERSION);
    fields.put(HeaderNames.MS_DATE, Signatures.date(wall.now()));
    Request unsigned = Request.of(method, path, fields, body);
    String text = Signatures.payload(unsigned, Guard.type(address), Guard.link(path, address));
    String signature = Base64.getEncoder().encodeToString(key.sign(text));
    fields.put(
        HeaderNames.AUTHORIZATION,
        URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8));
    return Request.of(method, path, fields, body, gone);
  }
}

package dev.mayfly.console;

import dev.mayfly.http.Request;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Checks which pages may send requests to the console. A page is the console's own if its {@code
 * Origin} is the address by which the request reached the server, and if the name in that address
 * is one of this server: a foreign name may resolve to this machine, too (DNS rebinding).
 */
public final class Origin {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** An address instead of a name: nobody else's page can have it. */
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|\\[[0-9a-f:.]+]");

  private final Set<String> names = new TreeSet<>(LOOPBACK);
  private final boolean numeric;

  /**
   * Creates the check of a server.
   *
   * @param names other names of this machine, perhaps with ports
   * @param numeric whether the server can be reached by all its addresses
   */
  public Origin(Set<String> names, boolean numeric) {
    names.stream().map(Origin::host).filter(name -> !name.isEmpty()).forEach(this.names::add);
    this.numeric = numeric;
  }

  /** Whether the {@code Host} of a request names this server. */
  public boolean isOwnHost(Request request) {
    String host = host(request.authority());
    return names.contains(host) || (numeric && NUMERIC.matcher(host).matches());
  }

  /**
   * Whether a request was sent by a page of this server: by its origin, and by {@code
   * Sec-Fetch-Site} if the browser sends it. A request without an origin is not.
   */
  public boolean isOwnPage(Request request) {
    String origin = request.header("origin");
    String own = (request.secure() ? "https://" : "http://") + request.authority();
    return origin != null && origin.equalsIgnoreCase(own) && isSameOrigin(request);
  }

  /** Whether the browser, if it sends {@code Sec-Fetch-Site}, calls the request same-origin. */
  public boolean isSameOrigin(Request request) {
    String site = request.header("sec-fetch-site");
    return site == null || site.equals("same-origin");
  }

  /** Returns the host name without the port, in lower case. */
  private static String host(String authority) {
    int colon = authority.lastIndexOf(':');
    boolean port = colon > authority.indexOf(']');
    return (port ? authority.substring(0, colon) : authority).toLowerCase(Locale.ROOT);
  }
}

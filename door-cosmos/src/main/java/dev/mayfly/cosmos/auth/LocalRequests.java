package dev.mayfly.cosmos.auth;

import dev.mayfly.http.Request;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes requests of programs on this machine from those of web pages.
 *
 * <p>A web page in a browser on this machine can reach local ports too. Its {@code Origin} reveals
 * it, or the name of its own site in {@code Host}, even if that name resolves to this machine (DNS
 * rebinding).
 */
public final class LocalRequests {
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private final String advertised;

  /**
   * @param advertised another name of this machine, perhaps with a port; empty for none
   */
  public LocalRequests(String advertised) {
    this.advertised = host(advertised);
  }

  /**
   * Whether a request comes from this machine, uses one of its names, and has no foreign origin.
   */
  public boolean includes(Request request) {
    return request.peer().getAddress().isLoopbackAddress()
        && (request.authority().isEmpty() || isOwn(host(request.authority())))
        && isOwnPage(request.header("origin"));
  }

  private boolean isOwn(String name) {
    return LOOPBACK_NAMES.contains(name) || (!advertised.isEmpty() && name.equals(advertised));
  }

  private boolean isOwnPage(@Nullable String origin) {
    if (origin == null) {
      return true;
    }
    int scheme = origin.indexOf("://");
    return scheme > 0 && isOwn(host(origin.substring(scheme + 3)));
  }

  /** Returns the host name without the port, in lower case. */
  private static String host(String authority) {
    int colon = authority.lastIndexOf(':');
    boolean port = colon > authority.indexOf(']');
    return (port ? authority.substring(0, colon) : authority).toLowerCase(Locale.ROOT);
  }
}

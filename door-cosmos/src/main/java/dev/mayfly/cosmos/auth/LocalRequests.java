package dev.mayfly.cosmos.auth;

import dev.mayfly.http.Request;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells requests of programs on this machine from those of web pages.
 *
 * <p>A page that a browser on this machine shows can reach a port of this machine too. It gives
 * itself away by its {@code Origin}, or by the name of its own site in {@code Host}, whatever
 * address that name is made to stand for (DNS rebinding).
 */
public final class LocalRequests {
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private final String advertised;

  /**
   * What counts as this machine.
   *
   * @param advertised a further name of it, perhaps with a port; empty for none
   */
  public LocalRequests(String advertised) {
    this.advertised = host(advertised);
  }

  /** Whether a request comes from this machine, to one of its names, and from no foreign page. */
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

  /** The name in front of a port, in small letters. */
  private static String host(String authority) {
    int colon = authority.lastIndexOf(':');
    boolean port = colon > authority.indexOf(']');
    return (port ? authority.substring(0, colon) : authority).toLowerCase(Locale.ROOT);
  }
}

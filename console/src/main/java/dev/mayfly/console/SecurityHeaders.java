package dev.mayfly.console;

import dev.mayfly.http.Reply;

/** Headers against framing, guessing of types and leaks, on every reply to the console. */
public final class SecurityHeaders {
  private SecurityHeaders() {}

  /**
   * Adds the headers to a reply and returns it.
   *
   * @param caching value of {@code cache-control}
   */
  public static Reply add(Reply reply, String caching) {
    return reply
        .header("cache-control", caching)
        .header("x-content-type-options", "nosniff")
        .header("x-frame-options", "DENY")
        .header("cross-origin-opener-policy", "same-origin")
        .header("cross-origin-resource-policy", "same-origin")
        .header("referrer-policy", "no-referrer");
  }
}

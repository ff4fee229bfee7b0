package dev.mayfly.console;

import dev.mayfly.http.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Logins of browsers, in memory. The browser has a random token in a cookie that scripts cannot
 * read; the server keeps its hash only. A login ends by logout, after 30 minutes without a request,
 * after 12 hours, when its user is no longer valid, or when too many others are newer. Safe for
 * many threads.
 *
 * @param <W> user of a login
 */
public final class Logins<W> {
  /** The maximum number of logins at a time. */
  public static final int MAX = 1_000;

  private static final long IDLE_MILLIS = Duration.ofMinutes(30).toMillis();
  private static final long LIFE_MILLIS = Duration.ofHours(12).toMillis();
  private static final int TOKEN_BYTES = 16;
  private static final String NAME = "mayfly";

  /** Browsers accept this name only with TLS, from this host and for all paths. */
  private static final String SECURE_NAME = "__Host-mayfly";

  private final LongSupplier clock;
  private final Predicate<W> valid;
  private final Consumer<W> ended;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Login<W>> logins = new HashMap<>();

  /**
   * A login.
   *
   * @param csrf token that the pages send with every request
   */
  public record Login<W>(W who, String csrf, long since, long lastUsed) {
    private Login<W> usedAt(long now) {
      return new Login<>(who, csrf, since, now);
    }
  }

  /**
   * A new login and the cookie for the browser.
   *
   * @param cookie value of {@code set-cookie}
   */
  public record Opened<W>(Login<W> login, String cookie) {}

  /**
   * Creates an empty set of logins.
   *
   * @param clock epoch milliseconds
   * @param valid whether a user still exists with the same password
   * @param ended called once for the user of each login that has ended
   */
  public Logins(LongSupplier clock, Predicate<W> valid, Consumer<W> ended) {
    this.clock = clock;
    this.valid = valid;
    this.ended = ended;
  }

  /** Opens a login with a new token, and ends the one that the browser had. */
  public Opened<W> open(Request request, W who) {
    close(request);
    String token = randomText();
    long now = clock.getAsLong();
    Login<W> login = new Login<>(who, randomText(), now, now);
    List<Login<W>> over;
    synchronized (logins) {
      logins.put(hash(token), login);
      over = removeOver(now);
    }
    over.forEach(one -> ended.accept(one.who()));
    return new Opened<>(login, cookie(request, token, ""));
  }

  /**
   * Removes and returns the logins that have ended, and those idle longest if too many are left.
   */
  private List<Login<W>> removeOver(long now) {
    List<Login<W>> over = new ArrayList<>();
    logins
        .values()
        .removeIf(
            login -> {
              boolean late = isLate(login, now);
              if (late) {
                over.add(login);
              }
              return late;
            });
    while (logins.size() > MAX) {
      Map.Entry<String, Login<W>> idle =
          logins.entrySet().stream()
              .min(Comparator.comparingLong(entry -> entry.getValue().lastUsed()))
              .orElseThrow();
      over.add(idle.getValue());
      logins.remove(idle.getKey());
    }
    return over;
  }

  private static boolean isLate(Login<?> login, long now) {
    return now - login.lastUsed() >= IDLE_MILLIS || now - login.since() >= LIFE_MILLIS;
  }

  /** Returns the login of a request, and marks it as used; empty if it has ended. */
  public Optional<Login<W>> find(Request request) {
    Optional<String> token = token(request);
    if (token.isEmpty()) {
      return Optional.empty();
    }
    String key = hash(token.get());
    long now = clock.getAsLong();
    Login<W> login;
    boolean late;
    synchronized (logins) {
      login = logins.get(key);
      late = login != null && isLate(login, now);
      if (login != null && !late) {
        logins.put(key, login.usedAt(now));
      }
    }
    if (login != null && (late || !valid.test(login.who()))) {
      end(key);
      return Optional.empty();
    }
    return Optional.ofNullable(login);
  }

  /** Ends the login of a request, if it has one. */
  public void close(Request request) {
    token(request).ifPresent(token -> end(hash(token)));
  }

  private void end(String key) {
    Login<W> removed;
    synchronized (logins) {
      removed = logins.remove(key);
    }
    if (removed != null) {
      ended.accept(removed.who());
    }
  }

  /** Ends all logins. */
  public void closeAll() {
    List<String> keys;
    synchronized (logins) {
      keys = List.copyOf(logins.keySet());
    }
    keys.forEach(this::end);
  }

  /** Returns the number of logins, including those that are late. */
  public int size() {
    synchronized (logins) {
      return logins.size();
    }
  }

  /** Whether a request has a cookie of a login, which may have ended. */
  public static boolean hasCookie(Request request) {
    return token(request).isPresent();
  }

  /** Returns the value of {@code set-cookie} that removes the cookie. */
  public static String removal(Request request) {
    return cookie(request, "", "; Max-Age=0");
  }

  /**
   * Returns the name of the cookie. Browsers send cookies to all ports of a machine, so without TLS
   * it contains the port.
   */
  private static String name(Request request) {
    String host = request.authority();
    int colon = host.lastIndexOf(':');
    boolean port = colon > host.indexOf(']');
    return request.secure() ? SECURE_NAME : NAME + "-" + (port ? host.substring(colon + 1) : "80");
  }

  private static String cookie(Request request, String token, String more) {
    return name(request)
        + "="
        + token
        + "; HttpOnly; SameSite=Strict; Path=/"
        + (request.secure() ? "; Secure" : "")
        + more;
  }

  private static Optional<String> token(Request request) {
    String name = name(request) + "=";
    @Nullable String header = request.header("cookie");
    if (header == null) {
      return Optional.empty();
    }
    for (String cookie : header.split(";", -1)) {
      if (cookie.strip().startsWith(name) && cookie.strip().length() > name.length()) {
        return Optional.of(cookie.strip().substring(name.length()));
      }
    }
    return Optional.empty();
  }

  private String randomText() {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String hash(String token) {
    try {
      byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Whether a text is the token of a login, compared in constant time. */
  public static boolean isToken(Login<?> login, @Nullable String text) {
    return text != null
        && MessageDigest.isEqual(
            login.csrf().getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
  }
}

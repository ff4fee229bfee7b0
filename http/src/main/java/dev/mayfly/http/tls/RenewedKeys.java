package dev.mayfly.http.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Key manager with one key, which its source can renew. A handshake that has begun with the
 * previous key ends with it. Safe for many threads.
 */
final class RenewedKeys extends X509ExtendedKeyManager {
  private static final System.Logger LOG = System.getLogger(RenewedKeys.class.getName());
  private static final long CHECK_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final Source source;
  private final LongSupplier clock;
  private final ReentrantLock renewing = new ReentrantLock();
  private volatile long checkedAt;
  private volatile Generation generation;

  /** Where newer keys come from. Called by one thread at a time. */
  interface Source {
    /** Returns the key to use from now on; none to keep the current one. */
    List<KeyAndChain> next(long now);
  }

  /** A key, its alias, and the key before it. */
  private record Generation(int number, KeyAndChain keys, Map<String, KeyAndChain> byAlias) {
    static Generation first(KeyAndChain keys) {
      return new Generation(0, keys, Map.of("0", keys));
    }

    String alias() {
      return Integer.toString(number);
    }

    Generation then(KeyAndChain next) {
      String alias = Integer.toString(number + 1);
      return new Generation(number + 1, next, Map.of(alias(), keys, alias, next));
    }
  }

  RenewedKeys(KeyAndChain first, Source source, LongSupplier clock) {
    this.generation = Generation.first(first);
    this.source = source;
    this.clock = clock;
    this.checkedAt = clock.getAsLong();
  }

  KeyAndChain current() {
    renew();
    return generation.keys();
  }

  private void renew() {
    long now = clock.getAsLong();
    if (now - checkedAt < CHECK_MILLIS || !renewing.tryLock()) {
      return;
    }
    try {
      checkedAt = now;
      for (KeyAndChain next : source.next(now)) {
        generation = generation.then(next);
        LOG.log(
            System.Logger.Level.INFO,
            "renewed the TLS certificate; it is valid until "
                + next.leaf().getNotAfter().toInstant());
      }
    } catch (RuntimeException failure) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the TLS certificate could not be renewed; the previous one, valid until "
              + generation.keys().leaf().getNotAfter().toInstant()
              + ", stays in use",
          failure);
    } finally {
      renewing.unlock();
    }
  }

  /** Returns the alias if the key is of a type; its names may have a suffix, as in EC_EC. */
  private @Nullable String alias(String type) {
    renew();
    Generation now = generation;
    String algorithm = now.keys().key().getAlgorithm();
    boolean fits =
        type.equals(algorithm)
            || type.startsWith(algorithm + "_")
            || (algorithm.equals("RSA") && type.equals("RSASSA-PSS"))
            || (algorithm.equals("EdDSA") && type.startsWith("Ed"));
    return fits ? now.alias() : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(type);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(type);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    String alias = alias(type);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    KeyAndChain found = generation.byAlias().get(alias);
    return found == null ? null : found.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    KeyAndChain found = generation.byAlias().get(alias);
    return found == null ? null : found.key();
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}

package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.command.HomeCopy;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Generates credentials for users that do not exist, so that a login does not reveal which users
 * exist. The same name has the same salt each time, also after a restart, and no password matches.
 * The salts are derived from a secret, which is created on first use and stored in {@code
 * admin.system.keys}. Safe for many threads.
 */
final class LoginSecret {
  private static final Value ID = Value.of("logins");
  private static final int BYTES = 32;

  private final Supplier<Engine> home;
  private final SecureRandom random = new SecureRandom();
  private byte @Nullable [] secret;

  /**
   * @param home returns the engine that stores it
   */
  LoginSecret(Supplier<Engine> home) {
    this.home = home;
  }

  /** Uses the secret of a copy, if it has one. */
  synchronized void load(HomeCopy copy) {
    key(copy).ifPresent(key -> secret = key);
  }

  /** Creates the secret, unless it is stored already. */
  synchronized void prepare() {
    if (secret == null) {
      secret = stored();
    }
  }

  private static Optional<byte[]> key(HomeCopy copy) {
    return copy.documents(HomeCopy.LOGIN_SECRET).stream()
        .filter(document -> document.field("_id").equals(ID))
        .map(document -> document.field("key").asBinary())
        .findFirst();
  }

  /** A credential for a user name that does not exist. */
  Credential credential(Identity identity, Mechanism mechanism) {
    byte[] derived =
        Mechanism.SCRAM_SHA_256.sign(secret(), mechanism.label() + " " + identity.toString());
    byte[] unknown = new byte[derived.length];
    random.nextBytes(unknown);
    return Credential.unknown(
        mechanism, Arrays.copyOf(derived, mechanism.saltBytes()), mechanism.hash(unknown));
  }

  private synchronized byte[] secret() {
    byte[] known = secret;
    if (known == null) {
      known = stored();
      secret = known;
    }
    return known;
  }

  private byte[] stored() {
    Engine engine = home.get();
    Optional<byte[]> known = key(HomeCopy.of(engine));
    if (known.isPresent()) {
      return known.get();
    }
    Collection keys =
        engine
            .find(HomeCopy.LOGIN_SECRET)
            .orElseGet(() -> engine.create(HomeCopy.LOGIN_SECRET, CollectionSpec.mongo()));
    byte[] fresh = new byte[BYTES];
    random.nextBytes(fresh);
    Document document =
        Document.writer().put("_id", ID).put("key", Value.binary((byte) 0, fresh)).build();
    keys.write(List.of(new Write.Insert(document)), Grouping.ATOMIC, Durability.SYNCED).only();
    return fresh;
  }
}

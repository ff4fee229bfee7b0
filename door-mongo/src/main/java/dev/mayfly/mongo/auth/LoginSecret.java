package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates credentials for users that do not exist, so that a login does not reveal which users
 * exist. The same name has the same salt each time, also after a restart, and no password matches.
 * The salts are derived from a secret, which is created on first use and stored in {@code
 * admin.system.keys}. Safe for many threads.
 */
final class LoginSecret {
  private static final Namespace NAMESPACE = new Namespace(Users.ADMIN, "system.keys");
  private static final Value ID = Value.of("logins");
  private static final int BYTES = 32;

  private final Engine engine;
  private final SecureRandom random = new SecureRandom();
  private byte @Nullable [] secret;

  LoginSecret(Engine engine) {
    this.engine = engine;
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
    Collection keys =
        engine.find(NAMESPACE).orElseGet(() -> engine.create(NAMESPACE, CollectionSpec.mongo()));
    try (Cursor cursor = keys.query(Query.of(new Filter.All(), Mode.MATCH))) {
      while (cursor.next()) {
        if (cursor.document().field("_id").equals(ID)) {
          return cursor.document().field("key").asBinary();
        }
      }
    }
    byte[] fresh = new byte[BYTES];
    random.nextBytes(fresh);
    Document document =
        Document.writer().put("_id", ID).put("key", Value.binary((byte) 0, fresh)).build();
    keys.write(List.of(new Write.Insert(document)), Grouping.ATOMIC, Durability.SYNCED).only();
    return fresh;
  }
}

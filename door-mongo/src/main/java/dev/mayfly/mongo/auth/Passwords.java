package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Derives SCRAM credentials from the passwords in commands. Does not store passwords. Safe for many
 * threads.
 */
final class Passwords {
  private final SecureRandom random = new SecureRandom();

  /**
   * The credentials of {@code pwd} for the {@code mechanisms} of a request; without them, for all
   * that fit.
   */
  Map<Mechanism, Credential> credentials(String user, Request request) {
    boolean plain = request.flag("digestPassword", true);
    List<Mechanism> mechanisms = mechanisms(request.field("mechanisms"), plain);
    return credentials(user, request.text("pwd", ""), mechanisms, plain);
  }

  /** The credentials of a password for all mechanisms. */
  Map<Mechanism, Credential> credentials(String user, String password) {
    return credentials(user, password, List.of(Mechanism.values()), true);
  }

  private Map<Mechanism, Credential> credentials(
      String user, String password, List<Mechanism> mechanisms, boolean plain) {
    if (password.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Password cannot be empty");
    }
    Map<Mechanism, Credential> credentials = new EnumMap<>(Mechanism.class);
    for (Mechanism mechanism : mechanisms) {
      byte[] salt = new byte[mechanism.saltBytes()];
      random.nextBytes(salt);
      String prepared = plain ? mechanism.prepared(user, password) : password;
      credentials.put(mechanism, Credential.of(mechanism, prepared, salt));
    }
    return credentials;
  }

  private static List<Mechanism> mechanisms(Value named, boolean plain) {
    List<Mechanism> mechanisms = new ArrayList<>();
    if (named.isMissing()) {
      mechanisms.addAll(plain ? List.of(Mechanism.values()) : List.of(Mechanism.SCRAM_SHA_1));
    } else if (named.isArray()) {
      Fields labels = named.asDocument().fields();
      while (labels.next()) {
        mechanisms.add(mechanism(labels.value()));
      }
    }
    if (mechanisms.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "mechanisms field must not be empty");
    }
    if (!plain && mechanisms.contains(Mechanism.SCRAM_SHA_256)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Use of SCRAM-SHA-256 requires undigested passwords");
    }
    return mechanisms;
  }

  private static Mechanism mechanism(Value label) {
    String text = label.type() == Type.STRING ? label.asString() : label.toString();
    return Mechanism.labelled(text)
        .orElseThrow(
            () ->
                new CommandException(ErrorCode.BAD_VALUE, "Unknown auth mechanism '" + text + "'"));
  }
}

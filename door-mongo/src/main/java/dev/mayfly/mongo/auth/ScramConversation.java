package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.SaslExchange;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Server side of a SCRAM authentication (RFC 5802): client and server prove to each other that they
 * know the password and the credential, without sending them. For one thread at a time.
 */
final class ScramConversation implements SaslExchange {
  /** No channel binding, in base 64. */
  private static final String UNBOUND = "biws";

  private final Mechanism mechanism;
  private final String database;
  private final String serverNonce;
  private final boolean skipEmpty;
  private final Function<Identity, Credential> credentials;
  private final Consumer<Identity> onSuccess;
  private Step step = Step.FIRST;
  private String firstMessages = "";
  private String nonce = "";
  private Identity identity = new Identity("", "");

  private enum Step {
    FIRST,
    PROOF,
    EMPTY,
    OVER
  }

  /**
   * A new conversation.
   *
   * @param skipEmpty whether the client skips the empty exchange at the end
   * @param credentials returns the credential of a user, or fails
   * @param onSuccess called with the authenticated user
   */
  ScramConversation(
      Mechanism mechanism,
      String database,
      String serverNonce,
      boolean skipEmpty,
      Function<Identity, Credential> credentials,
      Consumer<Identity> onSuccess) {
    this.mechanism = mechanism;
    this.database = database;
    this.serverNonce = serverNonce;
    this.skipEmpty = skipEmpty;
    this.credentials = credentials;
    this.onSuccess = onSuccess;
  }

  /** The error for any failed login; details would help an attacker. */
  static CommandException failed() {
    return new CommandException(ErrorCode.AUTHENTICATION_FAILED, "Authentication failed.");
  }

  @Override
  public Turn next(String message) {
    return switch (step) {
      case FIRST -> first(message);
      case PROOF -> verify(message);
      case EMPTY -> finish(message);
      case OVER -> throw failed();
    };
  }

  private Turn first(String message) {
    String bare = withoutHeader(message);
    Map<Character, String> fields = fields(bare);
    String user = fields.getOrDefault('n', "").replace("=2C", ",").replace("=3D", "=");
    String clientNonce = fields.getOrDefault('r', "");
    if (user.isEmpty() || clientNonce.isEmpty()) {
      throw failed();
    }
    identity = new Identity(database, user);
    Credential credential = credentials.apply(identity);
    nonce = clientNonce + serverNonce;
    String answer = "r=" + nonce + ",s=" + credential.salt() + ",i=" + credential.iterations();
    firstMessages = bare + "," + answer;
    step = Step.PROOF;
    return new Turn(answer, false);
  }

  private static String withoutHeader(String message) {
    int first = message.indexOf(',');
    int second = message.indexOf(',', first + 1);
    if (first < 0 || second < 0 || !message.startsWith("n")) {
      throw failed();
    }
    return message.substring(second + 1);
  }

  private Turn verify(String message) {
    step = Step.OVER;
    int proofAt = message.lastIndexOf(",p=");
    Map<Character, String> fields = fields(message);
    if (proofAt < 0 || !UNBOUND.equals(fields.get('c')) || !nonce.equals(fields.get('r'))) {
      throw failed();
    }
    Credential credential = credentials.apply(identity);
    String signed = firstMessages + "," + message.substring(0, proofAt);
    checkProof(credential, signed, decode(message.substring(proofAt + 3)));
    byte[] signature = mechanism.sign(credential.serverKey(), signed);
    String answer = "v=" + Base64.getEncoder().encodeToString(signature);
    if (skipEmpty) {
      onSuccess.accept(identity);
    } else {
      step = Step.EMPTY;
    }
    return new Turn(answer, skipEmpty);
  }

  /** The proof is the client key XOR a signature that the server can compute, too. */
  private void checkProof(Credential credential, String signed, byte[] proof) {
    byte[] clientKey = mechanism.sign(credential.storedKey(), signed);
    if (proof.length != clientKey.length) {
      throw failed();
    }
    for (int i = 0; i < proof.length; i++) {
      clientKey[i] ^= proof[i];
    }
    if (!MessageDigest.isEqual(mechanism.hash(clientKey), credential.storedKey())) {
      throw failed();
    }
  }

  private static byte[] decode(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException noBase64) {
      throw failed();
    }
  }

  private Turn finish(String message) {
    step = Step.OVER;
    if (!message.isEmpty()) {
      throw failed();
    }
    onSuccess.accept(identity);
    return new Turn("", true);
  }

  /** The fields of a message by their letter. */
  private static Map<Character, String> fields(String message) {
    Map<Character, String> fields = new HashMap<>();
    int start = 0;
    while (start < message.length()) {
      int comma = message.indexOf(',', start);
      int end = comma < 0 ? message.length() : comma;
      if (end - start >= 2 && message.charAt(start + 1) == '=') {
        fields.putIfAbsent(message.charAt(start), message.substring(start + 2, end));
      }
      start = end + 1;
    }
    return fields;
  }
}

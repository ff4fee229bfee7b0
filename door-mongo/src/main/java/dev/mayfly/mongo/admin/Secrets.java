package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import java.util.Set;

/**
 * Redaction of requests for {@code currentOp}, the profile and the log: removes passwords and login
 * proofs.
 */
final class Secrets {
  private static final Set<String> HIDDEN =
      Set.of("saslStart", "saslContinue", "createUser", "updateUser", "authenticate");
  private static final Set<String> OMITTED = Set.of("speculativeAuthenticate", "$clusterTime");
  private static final int MAX_BYTES = 4 << 10;

  private Secrets() {}

  /** Whether only the name of the command may be shown. */
  static boolean isSensitive(Request request) {
    return HIDDEN.contains(request.name());
  }

  /** Returns the command without secrets; truncated if it is long. */
  static Document redacted(Request request) {
    if (isSensitive(request)) {
      return Document.writer().put(request.name(), "xxx").put("$db", request.database()).build();
    }
    if (request.body().length() > MAX_BYTES) {
      String text = request.body().toString();
      return Document.writer()
          .put("$truncated", text.substring(0, Math.min(text.length(), MAX_BYTES / 4)))
          .build();
    }
    DocumentWriter copy = Document.writer();
    Fields fields = request.body().fields();
    while (fields.next()) {
      if (!OMITTED.contains(fields.name())) {
        copy.put(fields);
      }
    }
    return copy.build();
  }
}

package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import java.util.Set;

/** What of a request may be shown to others: not passwords, not the proofs of logins. */
final class Secrets {
  private static final Set<String> HIDDEN =
      Set.of("saslStart", "saslContinue", "createUser", "updateUser", "authenticate");
  private static final Set<String> LEFT_OUT = Set.of("speculativeAuthenticate", "$clusterTime");
  private static final int MOST_BYTES = 4 << 10;

  private Secrets() {}

  /** Whether nothing but the name of the command may be shown. */
  static boolean hides(Request request) {
    return HIDDEN.contains(request.name());
  }

  /** The command as currentOp, the profile and the log show it; shortened when it is long. */
  static Document shown(Request request) {
    if (hides(request)) {
      return Document.writer().put(request.name(), "xxx").put("$db", request.database()).build();
    }
    if (request.body().length() > MOST_BYTES) {
      String text = request.body().toString();
      return Document.writer()
          .put("$truncated", text.substring(0, Math.min(text.length(), MOST_BYTES / 4)))
          .build();
    }
    DocumentWriter shown = Document.writer();
    Fields fields = request.body().fields();
    while (fields.next()) {
      if (!LEFT_OUT.contains(fields.name())) {
        shown.put(fields);
      }
    }
    return shown.build();
  }
}

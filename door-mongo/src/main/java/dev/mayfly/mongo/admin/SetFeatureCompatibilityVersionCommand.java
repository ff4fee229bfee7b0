package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Set;

/**
 * {@code setFeatureCompatibilityVersion}: accepts the only version, {@value #VERSION}, and changes
 * nothing.
 */
public final class SetFeatureCompatibilityVersionCommand implements Command {
  /** The only feature compatibility version. */
  static final String VERSION = "8.0";

  private static final Set<String> FIELDS =
      Set.of("confirm", "downgradeOnDiskChanges", "fromConfigServer");

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (!request.target().equals(Value.of(VERSION))) {
      throw new CommandException(
          ErrorCode.location(4926900),
          "Invalid feature compatibility version value, "
              + request.target()
              + "; expected '"
              + VERSION
              + "', the only version that this server supports");
    }
    if (!request.flag("confirm", false)) {
      throw new CommandException(
          ErrorCode.location(7369100),
          "Once you have upgraded to "
              + VERSION
              + ", you will not be able to downgrade. Please re-run this command with 'confirm:"
              + " true' to acknowledge this");
    }
  }
}

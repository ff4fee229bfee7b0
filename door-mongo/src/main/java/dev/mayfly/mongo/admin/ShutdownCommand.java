package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Optional;
import java.util.Set;

/** {@code shutdown}: stops the server after requests in progress are answered. */
public final class ShutdownCommand implements Command {
  private static final System.Logger LOG = System.getLogger(ShutdownCommand.class.getName());

  private final Optional<Runnable> stop;

  /**
   * @param stop starts the shutdown and returns; empty if clients cannot stop the server
   */
  public ShutdownCommand(Optional<Runnable> stop) {
    this.stop = stop;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("force", "timeoutSecs"));
    if (!request.client().loopback() && request.client().identity().isEmpty()) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "shutdown must run from localhost when running db without auth");
    }
    Runnable shutdown =
        stop.orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.ILLEGAL_OPERATION,
                    "shutdown is not available: the server is embedded in a program, which has to"
                        + " stop it"));
    LOG.log(
        System.Logger.Level.INFO,
        "stopping the server: shutdown command from {0}",
        request.client().remote());
    shutdown.run();
  }
}

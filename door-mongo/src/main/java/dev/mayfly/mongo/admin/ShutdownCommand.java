package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Optional;
import java.util.Set;

/** {@code shutdown}: ends the server, once requests in progress are answered. */
public final class ShutdownCommand implements Command {
  private static final System.Logger LOG = System.getLogger(ShutdownCommand.class.getName());

  private final Optional<Runnable> stop;

  /**
   * The command.
   *
   * @param stop begins to end the server; empty where clients cannot
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
    Runnable ends =
        stop.orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.ILLEGAL_OPERATION,
                    "this server is part of a program, which alone can end it"));
    LOG.log(System.Logger.Level.INFO, "a client at {0} ends the server", request.client().remote());
    ends.run();
  }
}

package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code fsync}: returns when all earlier writes survive a loss of power. With {@code lock}, later
 * writes wait until {@code fsyncUnlock}.
 */
public final class FsyncCommand implements Command {
  private static final String TIMEOUT = "fsyncLockAcquisitionTimeoutMillis";
  private static final long TIMEOUT_MILLIS = 90_000;

  private final Engine engine;
  private final WriteLock lock;
  private final WriteLock.Writers writers;

  public FsyncCommand(Engine engine, WriteLock lock, WriteLock.Writers writers) {
    this.engine = engine;
    this.lock = lock;
    this.writers = writers;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("lock", "async", TIMEOUT));
    boolean locks = request.flag("lock", false);
    long millis = request.count(TIMEOUT, TIMEOUT_MILLIS);
    if (locks && request.has("txnNumber")) {
      throw new CommandException(ErrorCode.ILLEGAL_OPERATION, "fsync cannot lock in a transaction");
    }
    long count = locks ? lock.lock(request, millis, writers) : 0;
    engine.sync();
    if (!locks) {
      reply.put("numFiles", 1);
      return;
    }
    reply
        .put("info", "now locked against writes, use db.fsyncUnlock() to unlock")
        .put("lockCount", count)
        .put("seeAlso", "http://dochub.mongodb.org/core/fsynccommand");
  }
}

package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code fsyncUnlock}: releases one lock of {@code fsync}. Writes continue when the last lock is
 * released.
 */
public final class FsyncUnlockCommand implements Command {
  private final WriteLock lock;

  public FsyncUnlockCommand(WriteLock lock) {
    this.lock = lock;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    reply.put("info", "fsyncUnlock completed").put("lockCount", lock.unlock());
  }
}

package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code fsyncUnlock}: takes one lock of {@code fsync} back; writes go on after the last. */
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

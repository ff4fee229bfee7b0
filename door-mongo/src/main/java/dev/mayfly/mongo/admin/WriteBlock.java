package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.admin.WriteLock.Writers;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Refuses writes of users, across a restart too, and keeps the sweep still. It is kept in the
 * collection where MongoDB keeps it. Safe for many threads.
 */
public final class WriteBlock {
  private static final ErrorCode USER_WRITES_BLOCKED = new ErrorCode(371, "UserWritesBlocked");
  private static final Namespace KEPT = new Namespace("config", "user_writes_critical_sections");
  private static final Value ID = Value.of("");

  private final Engine engine;
  private final WriteLock lock;
  private volatile boolean on;

  WriteBlock(Engine engine, WriteLock lock) {
    this.engine = engine;
    this.lock = lock;
    this.on = engine.find(KEPT).flatMap(kept -> kept.read(DocumentKey.of(ID))).isPresent();
    if (on) {
      lock.holdSweep(true);
    }
  }

  /** Refuses a request that writes while users may not. */
  public void check(Request request, Writers writers) {
    if (on && writers.writes(request)) {
      throw new CommandException(USER_WRITES_BLOCKED, "User writes blocked");
    }
  }

  /**
   * Refuses writes from now on, and returns when those that had begun are done; or allows them.
   *
   * @param writers what is refused
   */
  void set(boolean block, Request request, Writers writers) {
    synchronized (this) {
      if (block != on) {
        store(block);
        on = block;
        lock.holdSweep(block);
      }
    }
    if (block) {
      lock.awaitIdle(request, writers);
    }
  }

  private void store(boolean block) {
    Collection kept =
        engine.find(KEPT).orElseGet(() -> engine.create(KEPT, CollectionSpec.mongo()));
    Document document = Document.writer().put("_id", ID).put("blockUserWrites", true).build();
    Write write = block ? new Write.Insert(document) : new Write.Delete(DocumentKey.of(ID));
    kept.write(List.of(write), Grouping.ATOMIC, Durability.SYNCED).only();
  }
}

package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.admin.WriteLock.Writers;
import dev.mayfly.mongo.command.HomeCopy;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * User write block mode: writes of users fail, and the sweep is paused. The mode is stored where
 * MongoDB stores it, so it survives a restart. Thread-safe.
 */
public final class WriteBlock {
  private static final ErrorCode USER_WRITES_BLOCKED = new ErrorCode(371, "UserWritesBlocked");
  private static final Value ID = Value.of("");

  private final Engine engine;
  private final WriteLock lock;
  private volatile boolean on;

  WriteBlock(Engine engine, WriteLock lock) {
    this.engine = engine;
    this.lock = lock;
    follow(HomeCopy.of(engine));
  }

  /** Uses the mode of a copy. */
  public synchronized void follow(HomeCopy copy) {
    boolean block = !copy.documents(HomeCopy.WRITE_BLOCK).isEmpty();
    if (block != on) {
      on = block;
      lock.keepSweepPaused(block);
    }
  }

  /** Fails with UserWritesBlocked if the mode is on and the request writes. */
  public void check(Request request, Writers writers) {
    if (on && writers.writes(request)) {
      throw new CommandException(USER_WRITES_BLOCKED, "User writes blocked");
    }
  }

  /**
   * Sets the mode. If it blocks, returns when the writes that had already begun have ended.
   *
   * @param writers selects the requests that are blocked
   */
  void set(boolean block, Request request, Writers writers) {
    synchronized (this) {
      if (block != on) {
        store(block);
        on = block;
        lock.keepSweepPaused(block);
      }
    }
    if (block) {
      lock.awaitIdle(request, writers);
    }
  }

  private void store(boolean block) {
    Collection stored =
        engine
            .find(HomeCopy.WRITE_BLOCK)
            .orElseGet(() -> engine.create(HomeCopy.WRITE_BLOCK, CollectionSpec.mongo()));
    Document document = Document.writer().put("_id", ID).put("blockUserWrites", true).build();
    Write write = block ? new Write.Insert(document) : new Write.Delete(DocumentKey.of(ID));
    stored.write(List.of(write), Grouping.ATOMIC, Durability.SYNCED).only();
  }
}

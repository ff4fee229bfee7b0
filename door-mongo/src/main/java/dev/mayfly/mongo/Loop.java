package dev.mayfly.mongo;

import dev.mayfly.net.AdaptiveSpin;
import dev.mayfly.query.limit.Interrupt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Many connections in one thread. In each round it reads from all that have something to say,
 * answers what is brief, and then sends the answers: writes that came in the same round share one
 * commit, and one wait for the disk.
 *
 * <p>Nothing on it may wait. What would is done by a worker, and the connection comes back after.
 */
final class Loop implements Runnable, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Loop.class.getName());
  private static final int BUFFER = 256 << 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final List<Connection> answered = new ArrayList<>();
  private final List<Connection> unflushed = new ArrayList<>();
  private final AdaptiveSpin adaptiveSpin = new AdaptiveSpin();
  private volatile boolean closed;

  private Loop(Selector selector) {
    this.selector = selector;
  }

  static Loop open() throws IOException {
    return new Loop(Selector.open());
  }

  Selector selector() {
    return selector;
  }

  /** Does something between rounds. Safe for many threads. */
  void execute(Runnable task) {
    tasks.add(task);
    selector.wakeup();
  }

  /** Has a connection sent its answer at the end of the round. */
  void answered(Connection connection) {
    answered.add(connection);
  }

  /** Has a connection sent its answer when the disk has what was committed in this round. */
  void unflushed(Connection connection) {
    unflushed.add(connection);
  }

  @Override
  public void run() {
    Interrupt.bound(this::loop);
  }

  private void loop() {
    try (selector) {
      while (!closed) {
        survivingRound();
      }
    } catch (IOException failure) {
      LOG.log(System.Logger.Level.ERROR, "a loop of connections has ended", failure);
    }
  }

  /** A round; whatever goes wrong in it must not end the thread that serves all connections. */
  private void survivingRound() throws IOException {
    try {
      round();
    } catch (RuntimeException | Error failure) {
      try {
        LOG.log(System.Logger.Level.ERROR, "internal error in a loop of connections", failure);
      } catch (Error again) {
        // out of memory, most likely: nothing can be said now
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void round() throws IOException {
    await();
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    finishRound();
  }

  /** Waits until there is something to do, and reads what has come. */
  private void await() throws IOException {
    if (!adaptiveSpin.keep(
        () -> selector.selectNow(this::read) > 0 || !tasks.isEmpty() || closed)) {
      selector.select(this::read);
    }
  }

  private void read(SelectionKey key) {
    ((Connection) key.attachment()).read(buffer);
  }

  /** What a connection has sent meanwhile is answered in the next round. */
  private void finishRound() {
    while (!answered.isEmpty()) {
      List<Connection> round = List.copyOf(answered);
      answered.clear();
      round.forEach(Connection::finish);
    }
    if (!unflushed.isEmpty()) {
      List<Connection> round = List.copyOf(unflushed);
      unflushed.clear();
      try {
        round.getFirst().workers().execute(() -> flush(round));
      } catch (RejectedExecutionException closing) {
        round.forEach(Connection::end);
      }
    }
  }

  /** Waits for the disk, once for all of a round. In a worker. */
  private void flush(List<Connection> round) {
    try {
      round.forEach(Connection::awaitFlush);
    } finally {
      // what is not flushed after an error waits again
      execute(() -> round.forEach(Connection::flushed));
    }
  }

  /** Ends the thread. Connections are ended by whoever opened them. */
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
  }
}

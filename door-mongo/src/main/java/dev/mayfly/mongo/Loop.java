package dev.mayfly.mongo;

import dev.mayfly.net.AdaptiveSpin;
import dev.mayfly.net.LoneClient;
import dev.mayfly.query.limit.Interrupt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Event loop: serves many connections in one thread. In each round it reads from all connections
 * with data, runs the commands of the fast path, and sends the replies. Writes of one round share
 * one commit. Replies of durable writes wait for the disk while the loop continues; the store wakes
 * the loop after a flush. If there is but one busy connection, the loop flushes in its own thread.
 *
 * <p>Nothing else on the loop may block. Blocking work is done by a worker, which then returns the
 * connection to the loop.
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
  private final LoneClient loneClient = new LoneClient();
  private final AtomicBoolean flushed = new AtomicBoolean();
  private final Runnable flushSignal = this::flushEnded;

  /** Whether the thread is in a blocking select, or about to be. */
  private volatile boolean blocking;

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

  /** Runs a task between rounds. Called from any thread. */
  void execute(Runnable task) {
    tasks.add(task);
    wake();
  }

  private void wake() {
    if (blocking) {
      selector.wakeup();
    }
  }

  /** Called by the store at the end of a flush, in any thread. Always the same object. */
  Runnable flushSignal() {
    return flushSignal;
  }

  private void flushEnded() {
    if (!flushed.getAndSet(true)) {
      wake();
    }
  }

  /** Sends the reply of the connection at the end of the round. */
  void answered(Connection connection) {
    answered.add(connection);
  }

  /** Sends the reply of the connection when its writes are durable. */
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
        safeRound();
      }
    } catch (IOException failure) {
      LOG.log(System.Logger.Level.ERROR, "an event loop has ended", failure);
    }
  }

  /** Runs a round. No failure may end the thread, because it serves all connections of the loop. */
  private void safeRound() throws IOException {
    try {
      round();
    } catch (RuntimeException | Error failure) {
      try {
        LOG.log(System.Logger.Level.ERROR, "internal error in an event loop", failure);
      } catch (Error again) {
        // probably out of memory, so it cannot be logged
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

  /** Waits for data or tasks, and reads the data. */
  private void await() throws IOException {
    // a flush takes longer than a spin, and its clients send nothing before their replies
    if (unflushed.isEmpty()
        && adaptiveSpin.keep(() -> selector.selectNow(this::read) > 0 || isSummoned())) {
      return;
    }
    blocking = true;
    try {
      // after the assignment: who summons the loop later sees it blocking
      if (!isSummoned()) {
        selector.select(this::read);
      }
    } finally {
      blocking = false;
    }
  }

  private boolean isSummoned() {
    return !tasks.isEmpty() || flushed.get() || closed;
  }

  private void read(SelectionKey key) {
    Connection connection = (Connection) key.attachment();
    loneClient.served(connection);
    connection.read(buffer);
  }

  /** Returns whether a single connection keeps the loop busy, and no reply waits for a flush. */
  boolean servesOneClient() {
    return loneClient.isAlone() && unflushed.isEmpty();
  }

  /**
   * Commits and sends the replies of this round first: while their flush runs, the loop sends those
   * that the last flush was for. What a connection has sent meanwhile is answered, too.
   */
  private void finishRound() {
    finishAnswered();
    if (flushed.getAndSet(false)) {
      List<Connection> waiting = List.copyOf(unflushed);
      unflushed.clear();
      waiting.forEach(Connection::finish);
      finishAnswered();
    }
  }

  private void finishAnswered() {
    while (!answered.isEmpty()) {
      List<Connection> round = List.copyOf(answered);
      answered.clear();
      round.forEach(Connection::finish);
    }
  }

  /** Ends the thread. The owner of the connections closes them. */
  @Override
  public void close() {
    closed = true;
    wake();
  }
}

package dev.mayfly.http;

import dev.mayfly.net.AdaptiveSpin;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.IntSupplier;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.Function;

/**
 * Select strategy that polls for requests for a short time before the event loop blocks. While
 * replies wait for a flush it blocks at once: a flush takes longer than the polls, and its clients
 * send nothing before their replies.
 */
final class SpinningLoop implements SelectStrategy {
  private final SingleThreadEventExecutor loop;
  private final FlushQueue flushQueue;
  private final AdaptiveSpin adaptiveSpin = new AdaptiveSpin();
  private int ready;

  private SpinningLoop(SingleThreadEventExecutor loop, FlushQueue flushQueue) {
    this.loop = loop;
    this.flushQueue = flushQueue;
  }

  /**
   * Returns the I/O handlers for event loops that spin.
   *
   * @param flushQueues returns the flush queue of an event loop
   */
  static IoHandlerFactory newFactory(Function<EventLoop, FlushQueue> flushQueues) {
    SelectorProvider provider = SelectorProvider.provider();
    return executor -> {
      SingleThreadIoEventLoop loop = (SingleThreadIoEventLoop) executor;
      return NioIoHandler.newFactory(
              provider, () -> new SpinningLoop(loop, flushQueues.apply(loop)))
          .newHandler(loop);
    };
  }

  @Override
  public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
    if (hasTasks) {
      return selectNow.get();
    }
    if (flushQueue.isWaiting()) {
      return SelectStrategy.SELECT;
    }
    return adaptiveSpin.<Exception>keep(() -> isReady(selectNow)) ? ready : SelectStrategy.SELECT;
  }

  /** Other threads may submit tasks to the loop while it spins. */
  private boolean isReady(IntSupplier selectNow) throws Exception {
    ready = selectNow.get();
    return ready > 0 || loop.pendingTasks() > 0;
  }
}

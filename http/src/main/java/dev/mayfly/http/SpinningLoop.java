package dev.mayfly.http;

import dev.mayfly.net.AdaptiveSpin;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.IntSupplier;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.nio.channels.spi.SelectorProvider;

/** Select strategy that polls for requests for a short time before the event loop blocks. */
final class SpinningLoop implements SelectStrategy {
  private final SingleThreadEventExecutor loop;
  private final AdaptiveSpin adaptiveSpin = new AdaptiveSpin();
  private int ready;

  private SpinningLoop(SingleThreadEventExecutor loop) {
    this.loop = loop;
  }

  /** Returns the I/O handlers for event loops that spin. */
  static IoHandlerFactory newFactory() {
    SelectorProvider provider = SelectorProvider.provider();
    return loop ->
        NioIoHandler.newFactory(provider, () -> new SpinningLoop((SingleThreadEventExecutor) loop))
            .newHandler(loop);
  }

  @Override
  public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
    if (hasTasks) {
      return selectNow.get();
    }
    return adaptiveSpin.<Exception>keep(() -> isReady(selectNow)) ? ready : SelectStrategy.SELECT;
  }

  /** Other threads may submit tasks to the loop while it spins. */
  private boolean isReady(IntSupplier selectNow) throws Exception {
    ready = selectNow.get();
    return ready > 0 || loop.pendingTasks() > 0;
  }
}

package dev.mayfly.http;

import dev.mayfly.net.AdaptiveSpin;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.IntSupplier;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.nio.channels.spi.SelectorProvider;

/** Has a loop look out for requests for a while before it goes to sleep. */
final class SpinningLoop implements SelectStrategy {
  private final SingleThreadEventExecutor loop;
  private final AdaptiveSpin adaptiveSpin = new AdaptiveSpin();
  private int ready;

  private SpinningLoop(SingleThreadEventExecutor loop) {
    this.loop = loop;
  }

  /** Makes what loops read and write by. */
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

  /** Others may give the loop something to do while it looks. */
  private boolean isReady(IntSupplier selectNow) throws Exception {
    ready = selectNow.get();
    return ready > 0 || loop.pendingTasks() > 0;
  }
}

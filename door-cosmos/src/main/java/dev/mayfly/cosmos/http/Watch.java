package dev.mayfly.cosmos.http;

import dev.mayfly.engine.Vigil;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.IntSupplier;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.nio.channels.spi.SelectorProvider;

/** Has a loop look out for requests for a while before it goes to sleep. */
final class Watch implements SelectStrategy {
  private final SingleThreadEventExecutor loop;
  private final Vigil vigil = new Vigil();
  private int ready;

  private Watch(SingleThreadEventExecutor loop) {
    this.loop = loop;
  }

  /** Makes what loops read and write by. */
  static IoHandlerFactory newFactory() {
    SelectorProvider provider = SelectorProvider.provider();
    return loop ->
        NioIoHandler.newFactory(provider, () -> new Watch((SingleThreadEventExecutor) loop))
            .newHandler(loop);
  }

  @Override
  public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
    if (hasTasks) {
      return selectNow.get();
    }
    return vigil.<Exception>keep(() -> isReady(selectNow)) ? ready : SelectStrategy.SELECT;
  }

  /** Others may give the loop something to do while it looks. */
  private boolean isReady(IntSupplier selectNow) throws Exception {
    ready = selectNow.get();
    return ready > 0 || loop.pendingTasks() > 0;
  }
}

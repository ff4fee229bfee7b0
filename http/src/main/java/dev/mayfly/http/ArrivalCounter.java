package dev.mayfly.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Reports to a connection that bytes of a request have arrived, before they are decoded. */
final class ArrivalCounter extends ChannelInboundHandlerAdapter {
  private final HttpConnection connection;

  ArrivalCounter(HttpConnection connection) {
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    connection.arriving();
    context.fireChannelRead(message);
  }
}

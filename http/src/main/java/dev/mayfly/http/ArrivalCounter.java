package dev.mayfly.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Reports to a conversation that bytes of a request have come, before they are decoded. */
final class ArrivalCounter extends ChannelInboundHandlerAdapter {
  private final HttpConnection conversation;

  ArrivalCounter(HttpConnection conversation) {
    this.conversation = conversation;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    conversation.arriving();
    context.fireChannelRead(message);
  }
}

package dev.mayfly.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** Detects TLS by the first byte of a connection, then removes itself from the pipeline. */
final class FirstByte extends ChannelInboundHandlerAdapter {
  /** Type of the TLS record that opens a handshake; no HTTP method begins with this byte. */
  private static final byte HANDSHAKE = 22;

  private final SSLContext certificate;

  FirstByte(SSLContext certificate) {
    this.certificate = certificate;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!bytes.isReadable()) {
      bytes.release();
      return;
    }
    if (bytes.getByte(bytes.readerIndex()) == HANDSHAKE) {
      SSLEngine engine = certificate.createSSLEngine();
      engine.setUseClientMode(false);
      context.pipeline().addAfter(context.name(), null, new SslHandler(engine));
    }
    context.fireChannelRead(message);
    context.pipeline().remove(this);
  }
}

package dev.mayfly.cosmos.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Writes a reply as HTTP/1.1 into one buffer. */
final class ReplyEncoder {
  private static final ConcurrentMap<Integer, byte[]> FIRST_LINES = new ConcurrentHashMap<>();
  private static final byte[] JSON = ascii("content-type: application/json\r\n");
  private static final byte[] LENGTH = ascii("content-length: ");
  private static final byte[] CLOSE = ascii("connection: close\r\n");
  private static final byte[] KEEP = ascii("connection: keep-alive\r\n");
  private static final byte[] PROCEED = ascii("HTTP/1.1 100 Continue\r\n\r\n");
  private static final int USUAL_HEAD = 768;
  private static final char DELETE = 0x7F;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private ReplyEncoder() {}

  /** The first line of all that is sent with a status. */
  private static byte[] firstLine(int status) {
    return FIRST_LINES.computeIfAbsent(
        status, code -> ascii("HTTP/1.1 " + HttpResponseStatus.valueOf(code) + "\r\n"));
  }

  /**
   * Encodes a reply.
   *
   * @param headOnly whether the body is only described
   */
  static ByteBuf encode(ByteBufAllocator buffers, Reply reply, boolean keep, boolean headOnly) {
    byte[] body = reply.body();
    ByteBuf out = buffers.ioBuffer(USUAL_HEAD + body.length);
    out.writeBytes(firstLine(reply.status()));
    out.writeBytes(keep ? KEEP : CLOSE);
    reply.headers((name, value) -> header(out, name, value));
    boolean bodiless = reply.status() == NO_CONTENT || reply.status() == NOT_MODIFIED;
    if (!bodiless) {
      if (body.length > 0) {
        out.writeBytes(JSON);
      }
      out.writeBytes(LENGTH);
      plain(out, Integer.toString(body.length));
      lineEnd(out);
    }
    lineEnd(out);
    if (!bodiless && !headOnly) {
      out.writeBytes(body);
    }
    return out;
  }

  /** Leave to send a body. */
  static ByteBuf proceed(ByteBufAllocator buffers) {
    return buffers.ioBuffer(PROCEED.length).writeBytes(PROCEED);
  }

  private static void header(ByteBuf out, String name, String value) {
    plain(out, name);
    out.writeByte(':').writeByte(' ');
    plain(out, value);
    lineEnd(out);
  }

  /** Nothing in a header may end its line: what is no plain character is escaped as in a path. */
  private static void plain(ByteBuf out, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= DELETE) {
        out.writeBytes(ascii(URLEncoder.encode(text.substring(i), StandardCharsets.UTF_8)));
        return;
      }
      out.writeByte(c);
    }
  }

  private static void lineEnd(ByteBuf out) {
    out.writeByte('\r').writeByte('\n');
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

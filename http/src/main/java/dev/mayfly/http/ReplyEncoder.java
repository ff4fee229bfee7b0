package dev.mayfly.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Encodes replies as HTTP/1.1, each into one buffer. Owned by one event loop, whose connections
 * share its array for headers.
 *
 * <p>Headers are assembled in the array and copied once, which costs less than many small writes to
 * off-heap memory.
 */
final class ReplyEncoder {
  private static final byte[] TYPE = ascii("content-type: ");
  private static final byte[] LENGTH = ascii("content-length: ");
  private static final byte[] CLOSE = ascii("connection: close\r\n");
  private static final byte[] KEEP = ascii("connection: keep-alive\r\n");
  private static final byte[] PROCEED = ascii("HTTP/1.1 100 Continue\r\n\r\n");
  private static final byte[] COLON = ascii(": ");
  private static final byte[] LINE_END = ascii("\r\n");
  private static final int USUAL_HEAD = 1024;
  private static final char DELETE = 0x7F;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private final Map<Integer, byte[]> firstLines = new HashMap<>();
  private byte[] head = new byte[USUAL_HEAD];
  private int length;

  /**
   * Encodes a reply.
   *
   * @param keep whether the connection stays open
   * @param headOnly whether to omit the body, for HEAD
   */
  ByteBuf encode(ByteBufAllocator buffers, Reply reply, boolean keep, boolean headOnly) {
    length = 0;
    byte[] body = reply.body();
    put(firstLines.computeIfAbsent(reply.status(), ReplyEncoder::firstLine));
    put(keep ? KEEP : CLOSE);
    reply.headers(this::header);
    boolean bodiless = reply.status() == NO_CONTENT || reply.status() == NOT_MODIFIED;
    if (!bodiless) {
      describe(reply);
    }
    put(LINE_END);
    int sent = bodiless || headOnly ? 0 : body.length;
    ByteBuf out = buffers.ioBuffer(length + sent);
    return out.writeBytes(head, 0, length).writeBytes(body, 0, sent);
  }

  private static byte[] firstLine(int status) {
    return ascii("HTTP/1.1 " + HttpResponseStatus.valueOf(status) + "\r\n");
  }

  private void describe(Reply reply) {
    if (reply.body().length > 0) {
      put(TYPE);
      put(reply.contentType());
      put(LINE_END);
    }
    put(LENGTH);
    put(Integer.toString(reply.body().length));
    put(LINE_END);
  }

  private void header(String name, String value) {
    put(name);
    put(COLON);
    put(value);
    put(LINE_END);
  }

  private void put(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, head, length, bytes.length);
    length += bytes.length;
  }

  /** Appends text. URL-encodes it if it has control or non-ASCII characters, against injection. */
  private void put(String text) {
    room(text.length());
    byte[] into = head;
    int at = length;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= DELETE) {
        put(ascii(URLEncoder.encode(text, StandardCharsets.UTF_8)));
        return;
      }
      into[at++] = (byte) c;
    }
    length = at;
  }

  private void room(int more) {
    if (more > head.length - length) {
      head = Arrays.copyOf(head, Math.max(2 * head.length, length + more));
    }
  }

  /** Returns the interim response that lets a client send its body. */
  static ByteBuf proceed(ByteBufAllocator buffers) {
    return buffers.ioBuffer(PROCEED.length).writeBytes(PROCEED);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

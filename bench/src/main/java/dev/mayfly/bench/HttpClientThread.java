package dev.mayfly.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * HTTP client with one persistent connection, for one thread. Reconnects if the server closes it.
 *
 * <p>It shares the CPU with the server, so it parses as little of a reply as possible.
 */
final class HttpClientThread implements AutoCloseable {
  private static final int STATUS_DIGITS = 3;

  private final URI server;
  private Socket socket;
  private InputStream in;
  private boolean closing;

  /** Bytes read so far; a reply begins at 0. */
  private byte[] buffer = new byte[64 << 10];

  private int filled;
  private int bodyFrom;
  private int bodyTo;

  HttpClientThread(URI server) throws IOException {
    this.server = server;
    this.socket = connect(server);
    this.in = socket.getInputStream();
  }

  private static Socket connect(URI server) throws IOException {
    Socket socket = new Socket(server.getHost(), server.getPort());
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** Sends a request and returns the status. The body is valid until the next request. */
  int send(byte[] request) throws IOException {
    if (closing) {
      socket.close();
      socket = connect(server);
      in = socket.getInputStream();
      closing = false;
    }
    socket.getOutputStream().write(request);
    filled = 0;
    bodyFrom = endOfHead();
    Optional<String> length = header("content-length:");
    if (length.isPresent()) {
      bodyTo = bodyFrom + Integer.parseInt(length.get());
      fill(bodyTo);
    } else if (header("transfer-encoding:").isPresent()) {
      joinChunks();
    } else {
      bodyTo = bodyFrom;
    }
    closing = header("connection:").filter("close"::equals).isPresent();
    return number(indexOf((byte) ' ', 0) + 1, STATUS_DIGITS, 10);
  }

  /** Offset of the body, after the empty line. */
  private int endOfHead() throws IOException {
    int line = 0;
    while (true) {
      int end = indexOf((byte) '\n', line);
      if (end - line <= 1) {
        return end + 1;
      }
      line = end + 1;
    }
  }

  /** Offset of the next occurrence of a byte; reads more if needed. */
  private int indexOf(byte target, int from) throws IOException {
    int at = from;
    while (true) {
      fill(at + 1);
      for (; at < filled; at++) {
        if (buffer[at] == target) {
          return at;
        }
      }
    }
  }

  /** Reads until the buffer has this many bytes. */
  private void fill(int count) throws IOException {
    if (count > buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * count);
    }
    while (filled < count) {
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        throw new IOException("the server has closed the connection");
      }
      filled += read;
    }
  }

  /** Value of a header, in lower case; the name is in lower case, with the colon. */
  private Optional<String> header(String name) throws IOException {
    int line = indexOf((byte) '\n', 0) + 1;
    while (line < bodyFrom) {
      int end = indexOf((byte) '\n', line);
      if (startsWith(line, name)) {
        return Optional.of(text(line + name.length(), end).strip().toLowerCase(Locale.ROOT));
      }
      line = end + 1;
    }
    return Optional.empty();
  }

  private boolean startsWith(int line, String name) {
    for (int i = 0; i < name.length(); i++) {
      if (Character.toLowerCase((char) buffer[line + i]) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Joins the chunks of a body. */
  private void joinChunks() throws IOException {
    bodyTo = bodyFrom;
    int line = bodyFrom;
    while (true) {
      int end = indexOf((byte) '\n', line);
      int size = number(line, end - 1 - line, 16);
      int next = end + 1 + size + 2;
      fill(next);
      System.arraycopy(buffer, end + 1, buffer, bodyTo, size);
      bodyTo += size;
      if (size == 0) {
        return;
      }
      line = next;
    }
  }

  private int number(int from, int digits, int base) {
    return Integer.parseInt(text(from, from + digits), base);
  }

  private String text(int from, int to) {
    return new String(buffer, from, to - from, StandardCharsets.US_ASCII);
  }

  String body() {
    return new String(buffer, bodyFrom, bodyTo - bodyFrom, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

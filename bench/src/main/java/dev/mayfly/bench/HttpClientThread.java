package dev.mayfly.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * One connection that is kept and used by one thread: it sends bytes and reads whole answers. A
 * server that does not keep it is called again.
 */
final class HttpClientThread implements AutoCloseable {
  private final URI server;
  private Socket socket;
  private InputStream in;
  private boolean closing;
  private byte[] body = new byte[64 << 10];
  private int length;

  HttpClientThread(URI server) throws IOException {
    this.server = server;
    this.socket = connect(server);
    this.in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
  }

  private static Socket connect(URI server) throws IOException {
    Socket socket = new Socket(server.getHost(), server.getPort());
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** The status of the answer; its body is kept until the next one. */
  int send(byte[] request) throws IOException {
    if (closing) {
      socket.close();
      socket = connect(server);
      in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
      closing = false;
    }
    socket.getOutputStream().write(request);
    String status = line();
    int announced = -1;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        announced = Integer.parseInt(header.substring(15).strip());
      }
      closing |= lower.startsWith("connection:") && lower.contains("close");
      chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
    }
    length = 0;
    if (chunked) {
      readChunks();
    } else {
      read(Math.max(announced, 0));
    }
    return Integer.parseInt(status.substring(9, 12));
  }

  private void readChunks() throws IOException {
    for (int size = chunk(); size > 0; size = chunk()) {
      read(size);
      line();
    }
    line();
  }

  private int chunk() throws IOException {
    return Integer.parseInt(line().strip(), 16);
  }

  private void read(int count) throws IOException {
    if (length + count > body.length) {
      body = Arrays.copyOf(body, 2 * (length + count));
    }
    if (in.readNBytes(body, length, count) < count) {
      throw new IOException("an answer ends in the middle");
    }
    length += count;
  }

  private String line() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the server has closed the connection");
      }
      if (next != '\r') {
        text.append((char) next);
      }
    }
    return text.toString();
  }

  String body() {
    return new String(body, 0, length, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

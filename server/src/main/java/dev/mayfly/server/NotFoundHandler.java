package dev.mayfly.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.http.Handler;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;

/** What is behind a port that is for the operator alone. */
final class NotFoundHandler implements Handler {
  @Override
  public Reply handle(Request request) {
    return refuse(404, "There is nothing here but what is for the operator.");
  }

  @Override
  public Reply refuse(int status, String reason) {
    return new Reply(status).body((reason + "\n").getBytes(UTF_8), "text/plain; charset=utf-8");
  }
}

package dev.mayfly.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.http.Handler;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;

/** Replies 404 to requests on the admin port that are not for the admin API. */
final class NotFoundHandler implements Handler {
  @Override
  public Reply handle(Request request) {
    return refuse(404, "This port serves the admin API only.");
  }

  @Override
  public Reply refuse(int status, String reason) {
    return new Reply(status).body((reason + "\n").getBytes(UTF_8), "text/plain; charset=utf-8");
  }
}

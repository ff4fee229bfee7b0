package dev.mayfly.cosmos;

import dev.mayfly.http.Reply;

/** The backends of a server that is alone: one, for all databases. */
final class OneBackend implements Backends {
  private final Backend backend;

  OneBackend(Backend backend) {
    this.backend = backend;
  }

  @Override
  public Reply answer(Call call) {
    authorize(call);
    return Replies.of(backend.exchange(call), backend::run);
  }

  @Override
  public void authorize(Call call) {
    backend.authorize(call);
  }

  @Override
  public boolean sharesCommits() {
    return true;
  }

  @Override
  public void close() {
    backend.close();
  }
}

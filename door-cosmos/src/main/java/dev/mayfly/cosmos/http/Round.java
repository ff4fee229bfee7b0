package dev.mayfly.cosmos.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What has been promised in one round of the loop: it is made so at the end of the round, when all
 * who speak at the time have been heard. The loop's alone.
 */
final class Round {
  private final Executor loop;
  private List<Runnable> promised = new ArrayList<>();

  Round(Executor loop) {
    this.loop = loop;
  }

  /** Has something done at the end of the round. */
  void add(Runnable finish) {
    if (promised.isEmpty()) {
      loop.execute(this::end);
    }
    promised.add(finish);
  }

  private void end() {
    List<Runnable> all = promised;
    promised = new ArrayList<>();
    all.forEach(Runnable::run);
  }
}

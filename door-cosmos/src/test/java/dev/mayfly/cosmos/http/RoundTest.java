package dev.mayfly.cosmos.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Rounds turned by hand: what the loop is given runs when it is told to. */
final class RoundTest {
  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final Round round = new Round(loop::add);

  @Test
  void whatIsPromisedIsKeptAtTheEndOfTheRoundInItsOrder() {
    round.add(() -> done.add("a"));
    round.add(() -> done.add("b"));
    assertThat(done).isEmpty();
    assertThat(loop).hasSize(1);
    loop.remove().run();
    assertThat(done).containsExactly("a", "b");
  }

  @Test
  void whatIsPromisedMeanwhileIsKeptInTheNextRound() {
    round.add(() -> round.add(() -> done.add("later")));
    loop.remove().run();
    assertThat(done).isEmpty();
    loop.remove().run();
    assertThat(done).containsExactly("later");
    assertThat(loop).isEmpty();
  }
}

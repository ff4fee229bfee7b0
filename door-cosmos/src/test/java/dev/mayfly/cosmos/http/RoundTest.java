package dev.mayfly.cosmos.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Rounds turned by hand: what the loop is given runs when it is told to. */
final class RoundTest {
  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final List<Runnable> workers = new ArrayList<>();
  private final List<String> done = new ArrayList<>();
  private final Round round = new Round(loop::add, workers::add);

  /** A request that says what becomes of it. */
  private final class Told implements Round.Job {
    private final String name;
    private final boolean brief;

    Told(String name, boolean brief) {
      this.name = name;
      this.brief = brief;
    }

    @Override
    public boolean here() {
      if (brief) {
        done.add(name + " here");
      }
      return brief;
    }

    @Override
    public void elsewhere() {
      done.add(name + " elsewhere");
    }

    @Override
    public void refused() {
      done.add(name + " refused");
    }
  }

  private void turn() {
    while (!loop.isEmpty()) {
      loop.remove().run();
    }
  }

  @Test
  void oneThatIsAloneIsHandledAtTheEndOfTheRound() {
    round.take(new Told("a", true));
    assertThat(done).isEmpty();
    turn();
    assertThat(done).containsExactly("a here");
    assertThat(workers).isEmpty();
  }

  @Test
  void thoseThatComeTogetherAreHandledSideBySide() {
    round.take(new Told("a", true));
    round.take(new Told("b", true));
    round.take(new Told("c", true));
    assertThat(workers).hasSize(3);
    turn();
    assertThat(done).isEmpty();
    workers.forEach(Runnable::run);
    assertThat(done).containsExactly("a elsewhere", "b elsewhere", "c elsewhere");
  }

  @Test
  void oneThatCannotBeHandledHereIsHandledElsewhere() {
    round.take(new Told("a", false));
    turn();
    assertThat(workers).hasSize(1);
  }

  @Test
  void whileOthersAreAtWorkAnotherIsNotAlone() {
    round.take(new Told("a", false));
    turn();
    round.take(new Told("b", true));
    assertThat(workers).hasSize(2);
    round.back();
    round.take(new Told("c", true));
    assertThat(workers).hasSize(3);
    round.back();
    round.back();
    round.take(new Told("d", true));
    turn();
    assertThat(done).containsExactly("d here");
  }

  @Test
  void whenThereAreNoThreadsAnyMoreItIsRefused() {
    Round closing =
        new Round(
            loop::add,
            _ -> {
              throw new RejectedExecutionException("closed");
            });
    closing.take(new Told("a", false));
    turn();
    assertThat(done).containsExactly("a refused");
  }
}

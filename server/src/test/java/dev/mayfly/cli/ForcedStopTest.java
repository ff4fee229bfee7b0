package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process whose shutdown never ends. */
final class ForcedStopTest {
  /** Blocks forever in a shutdown hook. */
  static final class NeverDone {
    private NeverDone() {}

    public static void main(String[] arguments) throws InterruptedException {
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(NeverDone::stop));
      IO.println("running");
      new CountDownLatch(1).await();
    }

    private static void stop() {
      ForcedStop.install();
      IO.println("stopping");
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException never) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void aSecondSignalEndsTheProcessAtOnce() throws IOException, InterruptedException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Process process =
        new ProcessBuilder(
                java, "-cp", System.getProperty("java.class.path"), NeverDone.class.getName())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("running");
      process.toHandle().destroy();
      assertThat(out.readLine()).isEqualTo("stopping");
      process.toHandle().destroy();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }
}

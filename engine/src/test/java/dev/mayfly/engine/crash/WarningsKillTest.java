package dev.mayfly.engine.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that reads warnings before expiry. A reader that continues from the position that
 * it has kept gets a warning for each version of a document, once, before it expires.
 */
@ExtendWith(SeedExtension.class)
final class WarningsKillTest {
  private static final long START = 1_700_000_000_000L;
  private static final int KILLS = 5;

  /** A version of a document. */
  private record Cart(int id, long version, long deadline) {}

  @TempDir private Path directory;

  private final Map<Integer, Cart> carts = new HashMap<>();
  private final Set<Long> warned = new HashSet<>();
  private final List<Long> sincePosition = new ArrayList<>();
  private @Nullable Cart begun;
  private String position = "";
  private long now = START;
  private long number = 1;

  @Test
  void eachVersionIsReportedOnceAcrossKills(Random random) throws Exception {
    for (int i = 0; i < KILLS; i++) {
      kill(random);
      examine();
    }
    assertThat(warned).hasSizeGreaterThan(KilledWarnings.IDS);
  }

  private void kill(Random random) throws IOException, InterruptedException {
    try (KilledProcess process =
        KilledProcess.start(
            this::note, KilledWarnings.class, directory.resolve("data"), now, number, position)) {
      process.read(1_000 + random.nextInt(1_000));
      process.kill();
    }
  }

  private void note(String line) {
    if (!line.endsWith(KilledWarnings.END)) {
      return;
    }
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "now" -> now = Long.parseLong(words[1]);
      case "write" -> {
        number = Long.parseLong(words[2]) + 1;
        begun = new Cart(Integer.parseInt(words[1]), number - 1, Long.parseLong(words[3]));
      }
      case "written" -> acknowledge();
      case "warning" -> sincePosition.add(Long.parseLong(words[1]));
      case "position" -> {
        position = words[1];
        for (long version : sincePosition) {
          assertThat(warned.add(version)).as("first warning of version %s", version).isTrue();
        }
        sincePosition.clear();
        if (words[2].equals("all")) {
          checkAllWarned();
        }
      }
      default -> throw new AssertionError(line);
    }
  }

  private void acknowledge() {
    Cart cart = begun;
    if (cart != null) {
      carts.put(cart.id(), cart);
      begun = null;
    }
  }

  private void checkAllWarned() {
    for (Cart cart : carts.values()) {
      boolean soon = cart.deadline() > now && cart.deadline() <= now + KilledWarnings.WITHIN_MILLIS;
      if (soon) {
        assertThat(warned).as("%s at %s", cart, now).contains(cart.version());
      }
    }
  }

  /** Opens what the process has left, and goes on reading from the last position. */
  private void examine() {
    // the reader has not kept the position after these
    sincePosition.clear();
    // it may have moved the clock without a word
    now += KilledWarnings.STEP_MILLIS;
    ManualClock clock = new ManualClock(now);
    try (RocksStore store = KilledWriter.open(directory.resolve("data"));
        LocalEngine engine = LocalEngine.open(store, clock, KilledWriter.settings(clock))) {
      LocalCollection stored = engine.collection(KilledWarnings.NAME);
      Cart last = begun;
      if (last != null && version(stored, last.id()) == last.version()) {
        acknowledge();
      }
      begun = null;
      for (Cart cart : carts.values()) {
        long live = cart.deadline() > now ? cart.version() : -1;
        assertThat(version(stored, cart.id())).as("%s at %s", cart, now).isEqualTo(live);
      }
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      KilledWarnings.read(stored, position, new PrintStream(printed, true, UTF_8));
      printed.toString(UTF_8).lines().forEach(this::note);
    }
  }

  /** The version of a live document; -1 if there is none. */
  private static long version(LocalCollection carts, int id) {
    return carts
        .peek(DocumentKey.of(Value.of(id)))
        .map(stored -> stored.document().field("v").asLong())
        .orElse(-1L);
  }
}

package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.store.Batch;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class HighestKeysTest {
  private final Shard shard = new MemoryStore().own(1);

  @Test
  void storedKeysMayBeContained(Random random) {
    HighestKeys highestKeys = HighestKeys.of(shard);
    for (int i = 0; i < 20_000; i++) {
      int number = Math.max(0, i + random.nextInt(1_200) - 600);
      boolean free = !highestKeys.mayContain(key(number));
      assertThat(free && isStored(number)).as("%s is ruled out", number).isFalse();
      switch (random.nextInt(5)) {
        case 0 -> shard.commit(new Batch().delete(Space.RECORDS, key(number)));
        case 1 -> highestKeys.add(key(number)); // by a batch that fails
        default -> {
          highestKeys.add(key(number));
          shard.commit(new Batch().put(Space.RECORDS, key(number), new byte[1]));
        }
      }
      if (random.nextInt(2_000) == 0) {
        highestKeys = HighestKeys.of(shard);
      }
    }
  }

  @Test
  void newKeysAreCertainlyAbsentDespiteSomeDisorder() {
    HighestKeys highestKeys = HighestKeys.of(shard);
    for (int i = 0; i < 10_000; i++) {
      int number = i ^ 0x1f;
      assertThat(highestKeys.mayContain(key(number))).isFalse();
      highestKeys.add(key(number));
      assertThat(highestKeys.mayContain(key(number))).isTrue();
    }
  }

  @Test
  void keysStoredBeforeMayBeContained() {
    shard.commit(new Batch().put(Space.RECORDS, key(7), new byte[1]));
    HighestKeys highestKeys = HighestKeys.of(shard);
    assertThat(highestKeys.mayContain(key(6))).isTrue();
    assertThat(highestKeys.mayContain(key(7))).isTrue();
    assertThat(highestKeys.mayContain(key(8))).isFalse();
  }

  @Test
  void unknownMayContainEveryKey() {
    HighestKeys highestKeys = HighestKeys.unknown();
    highestKeys.add(key(7));
    assertThat(highestKeys.mayContain(key(8))).isTrue();
  }

  private boolean isStored(int number) {
    return shard.read(Space.RECORDS, key(number)) != null;
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }
}

package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs the Java example of docs/sliding.md. */
final class SlidingPageTest {
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  @AutoClose private final Mayfly mayfly = Mayfly.inMemory(clock);

  @Test
  void aSessionLivesWhileItIsRead() {
    TimeToLive halfAnHour =
        TimeToLive.NONE.withDefault(1_800).withSliding(TimeToLive.PROPERTY_RULE);
    Collection sessions =
        mayfly.create("shop", "sessions", CollectionSpec.mongo().withTimeToLive(halfAnHour));
    sessions.insert(Document.writer().put("_id", "s1").put("user", "ada").build());
    clock.advance(Duration.ofMinutes(20));
    sessions.read(DocumentKey.of(Value.of("s1"))); // lives for another half an hour
    clock.advance(Duration.ofMinutes(30).minusMillis(1));
    assertThat(sessions.count(Filter.all())).isEqualTo(1);
    clock.advance(Duration.ofMillis(1));
    assertThat(sessions.count(Filter.all())).isZero();
  }

  @Test
  void examplesAreOnThePage() throws Exception {
    String here = Files.readString(Path.of("src/test/java/dev/mayfly/SlidingPageTest.java"));
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("../docs/sliding.md")))
            .results()
            .map(example -> example.group(1).indent(4).replaceAll("(?m)^ +$", "").stripTrailing())
            .toList();
    assertThat(examples).isNotEmpty().allMatch(here::contains);
  }
}

package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs the Java example of docs/expire-together.md. */
final class ExpireTogetherPageTest {
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  @AutoClose private final Mayfly mayfly = Mayfly.inMemory(clock);

  @Test
  void chunksExpireWithTheirFile() {
    mayfly.create("shop", "files", CollectionSpec.mongo().withDefaultTtl(60));
    IndexSpec byFile = IndexSpec.implicit("file_1", Part.ascending(FieldPath.of("file")));
    CollectionSpec follows =
        CollectionSpec.mongo().withIndex(byFile).withExpiresWith("files", "file", true);
    Collection chunks = mayfly.create("shop", "chunks", follows);
    mayfly.collection("shop", "files").insert(Document.writer().put("_id", "f1").build());
    chunks.insert(Document.writer().put("_id", 1).put("file", "f1").build());
    clock.advance(Duration.ofSeconds(60));
    long left = chunks.count(Filter.all()); // 0
    assertThat(left).isZero();
  }

  @Test
  void examplesAreOnThePage() throws Exception {
    String here = Files.readString(Path.of("src/test/java/dev/mayfly/ExpireTogetherPageTest.java"));
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("../docs/expire-together.md")))
            .results()
            .map(example -> example.group(1).indent(4).replaceAll("(?m)^ +$", "").stripTrailing())
            .toList();
    assertThat(examples).isNotEmpty().allMatch(here::contains);
  }
}

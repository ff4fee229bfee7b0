package dev.mayfly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.Mayfly;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Usage;
import dev.mayfly.value.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the examples of the README. */
final class ReadmeTest {
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void theExampleRuns(@TempDir Path directory) {
    try (Mayfly mayfly = Mayfly.open(directory)) {
      CollectionSpec spec = CollectionSpec.cosmos("user").withDefaultTtl(1800);
      Collection sessions = mayfly.create("web", "sessions", spec);

      sessions.insert(Document.writer().put("id", "s-1").put("user", "ada").build());
      sessions.insert(Document.writer().put("id", "s-2").put("user", "bob").put("ttl", 60).build());
      assertThat(sessions.read(DocumentKey.of("ada", "s-1"))).isPresent();

      long inTenMinutes = mayfly.engine().now() + 600_000;
      assertThat(sessions.expiry().forecast(inTenMinutes).total().documents()).isEqualTo(1);

      Usage lost = sessions.expiry().whatIf(current -> current.withDefaultTtl(600));
      assertThat(lost.documents()).isZero();
    }
  }

  @Test
  void theExampleIsInTheReadme() throws Exception {
    String here = Files.readString(Path.of("src/test/java/dev/mayfly/server/ReadmeTest.java"));
    Stream<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("../README.md")))
            .results()
            .map(example -> example.group(1).indent(4).replaceAll("(?m)^ +$", ""));
    assertThat(examples).anyMatch(here::contains);
  }
}

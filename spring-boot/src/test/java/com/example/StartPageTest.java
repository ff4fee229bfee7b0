package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class StartPageTest {
  @Test
  void theExampleOfThePageIsATestHere() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "start", "spring.md"));
    String test = Files.readString(Path.of("src/test/java/com/example/SessionsTest.java"));
    assertThat(page)
        .contains("```java\n" + test.substring(test.indexOf("@SpringBootTest")) + "```");
  }
}

package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user error prints one sentence, never a stack trace or the full help. */
final class MistakesTest {
  @TempDir private Path directory;

  private CommandLineRun run(String words) {
    return CommandLineRun.of(words.replace("DIR", directory.toString()).split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "frobnicate",
        "serve --mongo-port 1 --mongo-port 2",
        "serve --memory lots",
        "serve --cosmos-key !! --data DIR/new",
        "ttl set shop.carts --after tenminutes --data DIR/new",
        "ttl show sessions --data DIR/new",
        "ttl forecast shop.carts --within 5x --data DIR/new",
        "collections --server foo",
        "collections --server http://",
        "demo --seconds 0",
      })
  void usageErrorsExitWithTwo(String words) {
    CommandLineRun run = run(words);
    assertThat(run.exit()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).isNotBlank().doesNotContain("Exception", "\tat ");
    assertThat(run.err().lines().count()).isLessThan(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import test.x DIR/nonexistent --data DIR",
        "collections --data DIR/nonexistent --server http://127.0.0.1:1",
        "users add ada --password-file DIR/nonexistent --data DIR",
        "restore DIR/nonexistent --data DIR/new",
        "check --data DIR/nonexistent",
      })
  void failuresExitWithOne(String words) {
    CommandLineRun run = run(words);
    assertThat(run.exit()).as(run.err()).isEqualTo(1);
    assertThat(run.err()).isNotBlank().doesNotContain("Exception", "\tat ");
  }

  @Test
  void aMissingFileIsReported() {
    assertThat(run("import test.x DIR/absent.json --data DIR").err().strip())
        .isEqualTo("There is no file " + directory.resolve("absent.json") + ".");
  }

  @Test
  void usageErrorsNameTheHelpCommand() {
    assertThat(run("serve --mongo-port").err())
        .contains("Missing required parameter", "See 'mayfly serve --help'.");
    assertThat(run("collectoins").err()).contains("collections", "See 'mayfly --help'.");
  }

  @Test
  void failuresAreJsonObjectsOnRequest() {
    for (String words :
        List.of("ttl show sessions --json", "serve --memory lots --json", "frobnicate --json")) {
      CommandLineRun run = run(words);
      assertThat(run.out()).isEmpty();
      assertThat(Json.parse(run.err(), Limits.COSMOS).field("error").asString()).isNotBlank();
      assertThat(Json.parse(run.err(), Limits.COSMOS).field("exit").asLong()).isEqualTo(2);
    }
  }

  @Test
  void helpIsACommandToo() {
    assertThat(run("help").exit()).isZero();
    assertThat(run("help").out()).contains("serve", "collections");
    assertThat(run("help serve").out()).contains("--mongo-port");
  }

  @Test
  void theCompletionScriptExplainsItsUse() {
    String script = run("completion").out();
    assertThat(script).contains("source <(mayfly completion)");
    assertThat(script).doesNotContain("YOUR_APP_HOME");
  }
}

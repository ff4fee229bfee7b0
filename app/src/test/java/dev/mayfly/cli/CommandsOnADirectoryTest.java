package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.Mayfly;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.value.Document;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without a server, commands open the directory. */
final class CommandsOnADirectoryTest extends CommandsContract {
  @TempDir private Path data;

  @BeforeEach
  void make() {
    Mayfly.open(data).close();
  }

  @Override
  protected List<String> target() {
    return List.of("--data", data.toString());
  }

  @Override
  protected void prepare(Consumer<Engine> step) {
    try (Mayfly mayfly = Mayfly.open(data)) {
      step.accept(mayfly.engine());
    }
  }

  @Test
  void aDirectoryThatIsNotThereIsSaidNotToBe() {
    CommandLineRun run = CommandLineRun.of("collections", "--data", data + "-not");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("There is no data in", "mayfly serve");
  }

  @Test
  void aDirectoryThatIsSoundIsFoundSo() {
    prepare(
        engine -> {
          var things = engine.create(new Namespace("db", "things"), CollectionSpec.mongo());
          things.insert(Document.writer().put("_id", 1).build());
        });
    CommandLineRun run = CommandLineRun.of("check", "--data", data.toString());
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("db.things", "Nothing is wrong.");
    CommandLineRun json = CommandLineRun.of("--json", "check", "--data", data.toString());
    assertThat(json.out()).contains("\"documents\":1", "\"wrong\":0");
    assertThat(CommandLineRun.of("check", "--data", data + "-not").err()).contains("no data");
  }
}

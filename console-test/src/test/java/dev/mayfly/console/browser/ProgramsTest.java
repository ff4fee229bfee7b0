package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The Java programs of the page Connect run as they are shown. */
class ProgramsTest {
  private static final int PATIENCE_SECONDS = 90;

  /** The programs write the time of their own clock, which is later. */
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path directory;

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory(START).withDoors();

  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void theProgramsForJavaRun() throws IOException, InterruptedException {
    Page page = console.open("connect");
    String printed = run("Sessions", program(page, "MongoDB"));
    Assertions.assertThat(printed.lines()).contains("1");
    Assertions.assertThat(Shop.collection(mayfly, "test", "sessions").usage().documents())
        .isEqualTo(1);

    String carts = program(page, "Cosmos DB");
    String option = "-DCOSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED=true";
    Assertions.assertThat(carts).contains("java " + option);
    run("Carts", carts, option);
    DocumentKey key = new DocumentKey(List.of(Value.of("ada")), Value.of("1"));
    Assertions.assertThat(Shop.collection(mayfly, "cosmos:shop", "carts").read(key)).isPresent();
  }

  private static String program(Page page, String door) {
    Locator group = page.getByLabel("Language for " + door);
    group
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Java").setExact(true))
        .click();
    Locator code =
        page.locator("m-connect section")
            .filter(new Locator.FilterOptions().setHas(group))
            .getByLabel("Java program", new Locator.GetByLabelOptions().setExact(true));
    assertThat(code).containsText("public class");
    return code.textContent();
  }

  /** Runs a program from its source, with the drivers of this test, and returns its output. */
  private String run(String name, String program, String... options)
      throws IOException, InterruptedException {
    Path source = Files.writeString(directory.resolve(name + ".java"), program);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", withoutLog()));
    command.add(source.toString());
    Path output = directory.resolve(name + ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      Assertions.assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    Assertions.assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  /** Class path of this test without the log, which would write every step of the drivers. */
  private static String withoutLog() {
    String separator = System.getProperty("path.separator");
    return Stream.of(System.getProperty("java.class.path").split(separator, -1))
        .filter(entry -> !entry.contains("logback"))
        .collect(Collectors.joining(separator));
  }
}

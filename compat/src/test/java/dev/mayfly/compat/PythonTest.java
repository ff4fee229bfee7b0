package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the programs in {@code python/}: two generations of SDKs for Azure Cosmos DB, which are two
 * versions of one package. A variable can name the path of each (without Mayfly's prefix, because
 * servers reject unknown settings); otherwise Python uses its own search path.
 *
 * <p>Nothing is installed. Without Python or the version of the package, the tests are skipped.
 */
final class PythonTest {
  private static final Path SOURCES = Path.of("python");
  private static final int CANNOT_RUN = 77;
  private static final long TIMEOUT_SECONDS = 240;

  @AutoClose private static final ServerProcess TEST_CLOCK = ServerProcess.inMemory("--test-clock");
  @AutoClose private static final ServerProcess SYSTEM_CLOCK = ServerProcess.inMemory();

  @ParameterizedTest
  @CsvSource({
    "cosmos4_test.py, PYTHON_COSMOS4",
    "cosmos4_aio_test.py, PYTHON_COSMOS4",
    "cosmos3_test.py, PYTHON_COSMOS3"
  })
  void pythonProgramsPass(String program, String variable)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("python", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-B", "-W", "ignore", program)
            .directory(SOURCES.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("MAYFLY_COSMOS_ENDPOINT", plain(TEST_CLOCK));
    builder.environment().put("MAYFLY_REAL_CLOCK_COSMOS_ENDPOINT", plain(SYSTEM_CLOCK));
    builder.environment().put("MAYFLY_COSMOS_KEY", TEST_CLOCK.cosmosKey());
    String path = System.getenv(variable);
    if (path != null) {
      builder.environment().put("PYTHONPATH", path);
    }
    try {
      int exit = run(builder);
      String printed = Files.readString(output, UTF_8);
      if (exit == CANNOT_RUN) {
        abort(program + " is not tested: " + printed.strip());
      }
      assertThat(exit).as(printed).isZero();
      assertThat(printed).as("tests that ran").contains("OK").doesNotContain("Ran 0 tests");
    } finally {
      Files.delete(output);
    }
  }

  private static String plain(ServerProcess server) {
    return server.cosmosEndpoint().replace("https:", "http:");
  }

  private static int run(ProcessBuilder builder) throws InterruptedException {
    Process process;
    try {
      process = builder.start();
    } catch (IOException missing) {
      return abort("no python3: Python programs are not tested");
    }
    boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    return ended ? process.exitValue() : -1;
  }
}

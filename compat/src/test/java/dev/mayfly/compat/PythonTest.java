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
  private static final int CANNOT_BE_RUN = 77;
  private static final long PATIENCE_SECONDS = 240;

  @AutoClose private static final ServerProcess MOVED = ServerProcess.inMemory("--test-clock");
  @AutoClose private static final ServerProcess REAL = ServerProcess.inMemory();

  @ParameterizedTest
  @CsvSource({
    "cosmos4_test.py, PYTHON_COSMOS4",
    "cosmos4_aio_test.py, PYTHON_COSMOS4",
    "cosmos3_test.py, PYTHON_COSMOS3"
  })
  void programsForPythonFindWhatTheyExpect(String program, String variable)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("python", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-B", "-W", "ignore", program)
            .directory(SOURCES.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("MAYFLY_COSMOS_ENDPOINT", plain(MOVED));
    builder.environment().put("MAYFLY_REAL_CLOCK_COSMOS_ENDPOINT", plain(REAL));
    builder.environment().put("MAYFLY_COSMOS_KEY", MOVED.cosmosKey());
    String place = System.getenv(variable);
    if (place != null) {
      builder.environment().put("PYTHONPATH", place);
    }
    try {
      int exit = run(builder);
      String said = Files.readString(output, UTF_8);
      if (exit == CANNOT_BE_RUN) {
        abort(program + " is not tested: " + said.strip());
      }
      assertThat(exit).as(said).isZero();
      assertThat(said).as("tests that ran").contains("OK").doesNotContain("Ran 0 tests");
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
      return abort("no python3: programs for Python are not tested");
    }
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    return ended ? process.exitValue() : -1;
  }
}

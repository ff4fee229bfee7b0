package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of the packages in {@code clients/}, against servers that they start. */
final class TestPackagesTest {
  @TempDir Path directory;

  @Test
  void testsOfTheNodePackagePass() throws IOException, InterruptedException {
    NodeProject.install();
    Map<String, String> environment = TestPackages.withJar(directory);
    Program.Outcome outcome = Program.run(TestPackages.NODE, 300, environment, "node", "--test");
    assertThat(outcome.exit()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("fail 0").doesNotContain("pass 0");
  }

  @Test
  void testsOfThePythonPackagePass() throws IOException, InterruptedException {
    Map<String, String> environment = TestPackages.withCommand(directory);
    try {
      Program.Outcome outcome =
          Program.run(
              TestPackages.PYTHON,
              300,
              environment,
              "python3",
              "-B",
              "-W",
              "error::ResourceWarning",
              "-m",
              "unittest",
              "discover",
              "-s",
              "tests");
      assertThat(outcome.exit()).as(outcome.output()).isZero();
      assertThat(outcome.output()).contains("OK").doesNotContain("Ran 0 tests");
    } catch (IOException missing) {
      abort("no python3: the Python package is not tested");
    }
  }
}

package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The class path of a program that embeds Mayfly: no network, command line, log or metrics. */
final class DependenciesTest {
  private static final Pattern VERSION = Pattern.compile("-\\d.*\\.jar$");

  /** Libraries of the tests of this module, which a program that embeds Mayfly does not get. */
  private static final Pattern OF_TESTS =
      Pattern.compile("junit-.*|assertj-core|byte-buddy|opentest4j|apiguardian-api");

  @Test
  void anEmbeddingProgramGetsTheseModulesOnly() {
    assertThat(modules())
        .containsExactlyInAnyOrder(
            "embedded", "engine", "expiry", "query", "store", "store-rocksdb", "value");
  }

  @Test
  void anEmbeddingProgramGetsTheseLibrariesOnly() {
    Set<String> libraries =
        classPath()
            .map(DependenciesTest::name)
            .filter(name -> name.endsWith(".jar") && !name.startsWith("mayfly"))
            .map(name -> VERSION.matcher(name).replaceFirst(""))
            .filter(name -> !OF_TESTS.matcher(name).matches())
            .collect(Collectors.toSet());
    assertThat(libraries)
        .containsExactlyInAnyOrder(
            "rocksdbjni",
            "jackson-core",
            "icu4j",
            "jts-core",
            "GeographicLib-Java",
            "s2-geometry",
            "guava",
            "failureaccess",
            "listenablefuture",
            "error_prone_annotations",
            "j2objc-annotations",
            "jspecify");
  }

  /** Modules of Mayfly by directory: jars once they are packaged, directories of classes before. */
  private static Set<String> modules() {
    Set<String> modules = new TreeSet<>();
    classPath()
        .forEach(
            entry -> {
              String name = name(entry);
              if (name.startsWith("mayfly") && name.endsWith(".jar")) {
                String artifact = VERSION.matcher(name).replaceFirst("");
                modules.add(
                    artifact.equals("mayfly")
                        ? "embedded"
                        : artifact.substring("mayfly-".length()));
              } else if (name.equals("classes")) {
                modules.add(entry.getName(entry.getNameCount() - 3).toString());
              }
            });
    return modules;
  }

  private static String name(Path entry) {
    return entry.getName(entry.getNameCount() - 1).toString();
  }

  private static Stream<Path> classPath() {
    String text =
        System.getProperty(
            "surefire.test.class.path", ManagementFactory.getRuntimeMXBean().getClassPath());
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL).splitAsStream(text).map(Path::of);
  }
}

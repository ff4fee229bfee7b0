package dev.mayfly.mongo.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.testing.Frames;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fuzzing with Jazzer: searches for bytes that cause a crash, a hang or too much memory, guided by
 * branch coverage. It runs in a separate process, because it instruments classes, and starts from
 * valid frames and documents. For longer runs: {@code -Dfuzz.seconds=3600}.
 */
final class JazzerTest {
  private static final String SECONDS = System.getProperty("fuzz.seconds", "");
  private static final Pattern DONE = Pattern.compile("Done (\\d+) runs");
  private static final int RUNS = 10_000;
  private static final List<String> UNUSED =
      List.of("icu4j", "rocksdbjni", "mongodb", "guava", "s2-geometry", "snappy", "zstd");

  @TempDir Path directory;

  @Test
  void fuzzedFramesAreDecodedOrRejected() throws Exception {
    fuzz(AnyFrames.class, WireFuzzTest.VALID);
  }

  @Test
  void fuzzedDocumentsAreDecodedOrRejected() throws Exception {
    fuzz(AnyDocument.class, List.of(Frames.json(WireFuzzTest.COMMAND).bytes()));
  }

  private void fuzz(Class<?> target, List<byte[]> seeds) throws Exception {
    Path corpus = Files.createDirectory(directory.resolve("corpus"));
    for (int i = 0; i < seeds.size(); i++) {
      Files.write(corpus.resolve("seed-" + i), seeds.get(i));
    }
    Path log = directory.resolve("log");
    Process fuzzer = start(target, corpus, log);
    try {
      long seconds = SECONDS.isEmpty() ? 0 : Long.parseLong(SECONDS);
      assertThat(fuzzer.waitFor(seconds + 300, TimeUnit.SECONDS)).isTrue();
    } finally {
      fuzzer.destroyForcibly();
    }
    String output = Files.readString(log);
    assertThat(fuzzer.exitValue()).as("%s", output).isZero();
    Matcher done = DONE.matcher(output);
    assertThat(done.find()).as("%s", output).isTrue();
    assertThat(Long.parseLong(done.group(1))).isPositive();
  }

  /** The class path without libraries that the decoder does not use: Jazzer scans all classes. */
  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> UNUSED.stream().noneMatch(new File(entry).getName()::startsWith))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * The heap of 512 MB is far more than frames of that size need. An input that takes more than a
   * minute counts as a hang. The fuzzer's own memory limit is off, because on Linux a process
   * inherits the peak memory of its parent.
   */
  private Process start(Class<?> target, Path corpus, Path log) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            classPath(),
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + target.getName(),
            "--instrumentation_includes=dev.mayfly.**",
            "--custom_hook_includes=dev.mayfly.**",
            "--reproducer_path=" + directory,
            "-artifact_prefix=" + directory + "/",
            "-max_len=8192",
            "-timeout=60",
            "-rss_limit_mb=0",
            SECONDS.isEmpty() ? "-runs=" + RUNS : "-max_total_time=" + SECONDS,
            corpus.toString())
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(log.toFile()))
        .start();
  }
}

package dev.mayfly.bench;

import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Benchmark of the start: time from the command to the line that reports readiness, on a large and
 * on a small directory, alternately. Starts the launcher, as a user does.
 *
 * <p>Arguments: {@code megabytes=N} of data (default 1024), {@code rounds=N} (default 9).
 */
final class Start implements AutoCloseable {
  private static final int DOCUMENT_BYTES = 1000;
  private static final int LOAD_BATCH = 1000;
  private static final long MEBIBYTE = 1 << 20;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int KIBIBYTES_PER_MEBIBYTE = 1024;

  private final Path temporary;
  private final Path launcher;

  private Start(Path temporary, Path launcher) {
    this.temporary = temporary;
    this.launcher = launcher;
  }

  static void run(Arguments arguments) throws IOException, InterruptedException {
    long megabytes = arguments.number("megabytes", 1024);
    int rounds = (int) arguments.number("rounds", 9);
    try (Start start = new Start(Files.createTempDirectory("mayfly-bench"), launcher())) {
      Path full = start.filled("full", megabytes * MEBIBYTE);
      Path empty = start.filled("empty", LOAD_BATCH);
      System.out.printf(
          Locale.ROOT,
          "%-34s %8s %8s %10s%n",
          "start to ready, %d MB on disk".formatted(bytes(full) / MEBIBYTE),
          "ms",
          "empty",
          "ratio");
      start.compare(full, empty, rounds);
    }
  }

  /** The launcher, in the working directory or above it. */
  private static Path launcher() {
    return Stream.of("mayfly", "../mayfly")
        .map(Path::of)
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the launcher mayfly is not in this directory nor in its parent"))
        .toAbsolutePath();
  }

  /** Incompressible documents, so that the size on disk is the size written. */
  private Path filled(String name, long bytes) {
    Path directory = temporary.resolve(name);
    Random random = new Random(42);
    try (Mayfly mayfly = Mayfly.open(directory, MayflySettings.standard())) {
      Collection orders = Workload.orders(mayfly.engine());
      for (long id = 0; id < bytes / DOCUMENT_BYTES; id += LOAD_BATCH) {
        List<Write> writes = new ArrayList<>();
        for (long next = id; next < id + LOAD_BATCH; next++) {
          writes.add(new Write.Insert(order(next, random)));
        }
        orders.write(writes, Grouping.UNORDERED, Durability.LOGGED);
      }
    }
    return directory;
  }

  private static Document order(long id, Random random) {
    byte[] filler = new byte[DOCUMENT_BYTES];
    random.nextBytes(filler);
    return Document.writer()
        .put("_id", Workload.id(id))
        .put("status", "open")
        .put("amount", (int) (id % 997))
        .put("filler", Value.binary((byte) 0, filler))
        .build();
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private void compare(Path full, Path empty, int rounds) throws IOException, InterruptedException {
    // the first start builds the program and trains the AOT cache
    start(empty);
    start(full);
    double[] ours = new double[rounds];
    double[] small = new double[rounds];
    double[] ratios = new double[rounds];
    long resident = 0;
    for (int i = 0; i < rounds; i++) {
      Started started = start(full);
      ours[i] = started.millis();
      resident = Math.max(resident, started.residentMebibytes());
      small[i] = start(empty).millis();
      ratios[i] = ours[i] / small[i];
    }
    System.out.printf(
        Locale.ROOT,
        "%-34s %8.0f %8.0f %10.2f%n",
        "median of " + rounds,
        median(ours),
        median(small),
        median(ratios));
    System.out.printf(Locale.ROOT, "resident when ready: %d MB at most%n", resident);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Duration of a start, and the memory of the process; 0 if unknown. */
  private record Started(double millis, long residentMebibytes) {}

  private Started start(Path directory) throws IOException, InterruptedException {
    long began = System.nanoTime();
    Process process =
        new ProcessBuilder(
                launcher.toString(),
                "serve",
                "--data",
                directory.toString(),
                "--mongo-port",
                "0",
                "--cosmos-port",
                "0")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      double millis = (System.nanoTime() - began) / NANOS_PER_MILLI;
      if (line == null || !line.contains("ready")) {
        throw new IOException("the server did not become ready: " + line);
      }
      return new Started(millis, resident(process.pid()));
    } finally {
      process.destroy();
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static long resident(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (Files.notExists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / KIBIBYTES_PER_MEBIBYTE)
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() throws IOException {
    Scratch.delete(temporary);
  }
}

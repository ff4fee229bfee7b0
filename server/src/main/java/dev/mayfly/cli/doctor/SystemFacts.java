package dev.mayfly.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import dev.mayfly.Mayfly;
import dev.mayfly.config.Configuration;
import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Texts of a report about the machine, the settings and the files. */
final class SystemFacts {
  private static final int LEVELS = 4;

  private SystemFacts() {}

  static String versions() {
    StringJoiner lines = lines();
    lines.add("mayfly: " + Mayfly.VERSION);
    lines.add("java: " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
    lines.add("time: " + Instant.now());
    for (String name : new String[] {"os.name", "os.version", "os.arch", "file.encoding"}) {
      lines.add(name + ": " + System.getProperty(name));
    }
    lines.add("processors: " + Runtime.getRuntime().availableProcessors());
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine) {
      lines.add("memory: " + machine.getTotalMemorySize());
      lines.add("free memory: " + machine.getFreeMemorySize());
    }
    return lines.toString();
  }

  /** Values and sources of all settings; of secrets, only whether they are set. */
  static String settings(Configuration configuration) {
    StringJoiner lines = lines();
    lines.add(
        "# as the environment and the file of this command set them, without options of serve");
    for (Setting setting : Settings.ALL) {
      String value =
          Secrets.isSecret(setting)
              ? configuration.isSet(setting) ? "set" : "not set"
              : configuration.text(setting);
      lines.add(setting.name() + " (" + configuration.source(setting) + "): " + value);
    }
    return lines.toString();
  }

  /** Names and sizes of all files of a directory, and its format. Reads no other file. */
  static String files(Path directory) {
    if (Files.notExists(directory)) {
      return "There is no directory " + directory + "." + System.lineSeparator();
    }
    StringJoiner lines = lines();
    try {
      Path format = directory.resolve("FORMAT");
      lines.add("format: " + (Files.exists(format) ? Files.readString(format).strip() : "no file"));
      lines.add("free on this disk: " + Files.getFileStore(directory).getUsableSpace());
      lines.add("disk: " + Files.getFileStore(directory).type());
      long total = 0;
      for (Map.Entry<String, BasicFileAttributes> file : all(directory).entrySet()) {
        total += file.getValue().size();
        lines.add(
            "%14d %s %s"
                .formatted(
                    file.getValue().size(), file.getValue().lastModifiedTime(), file.getKey()));
      }
      return lines.add("%14d in all".formatted(total)).toString();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Map<String, BasicFileAttributes> all(Path directory) throws IOException {
    Map<String, BasicFileAttributes> files = new TreeMap<>();
    try (Stream<Path> found = Files.walk(directory, LEVELS)) {
      for (Path file : found.filter(Files::isRegularFile).toList()) {
        // a running server removes files meanwhile
        if (Files.exists(file)) {
          files.put(
              directory.relativize(file).toString(),
              Files.readAttributes(file, BasicFileAttributes.class));
        }
      }
    }
    return files;
  }

  private static StringJoiner lines() {
    return new StringJoiner(System.lineSeparator(), "", System.lineSeparator());
  }
}

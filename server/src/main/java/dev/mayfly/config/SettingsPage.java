package dev.mayfly.config;

/** Generates docs/configuration.md. */
public final class SettingsPage {
  private static final String HEAD =
      """
      # Configuration

      Every setting has one name. For example, `mongo-port` is the line `mongo-port: 27018` in the
      file, the variable `MAYFLY_MONGO_PORT=27018` in the environment, and the option
      `--mongo-port 27018` of `mayfly serve`. Options override the environment, the environment
      overrides the file, and the file overrides the defaults.

      The file is `mayfly.yaml` in the working directory, or the file named by `--config` or
      `MAYFLY_CONFIG`. It is YAML with one name and one scalar value per line; `#` begins a comment.
      Unknown names, in the file or in the environment, are errors; the message suggests a known
      name. Sizes are bytes, or have a unit: `64m`, `2g`. Other users of the machine can see
      options, so set secrets in the environment or in the file.

      `memory` limits the whole process. The launcher `mayfly` gives three eighths of it to the heap
      (three quarters with `in-memory`, where the heap contains all data) and at most an eighth to
      network buffers. The store gets what the JVM leaves of the rest. An idle server returns memory
      to the system. With `java -jar mayfly.jar` the heap size is that of Java's own options, and a
      warning in the log names the right option. The launcher reads more Java options from
      `MAYFLY_JAVA_OPTIONS`.

      `mayfly settings` generates this page.

      | setting | values | default | description |
      |---|---|---|---|
      """;

  private SettingsPage() {}

  public static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    for (Setting setting : Settings.ALL) {
      page.append("| `")
          .append(setting.name())
          .append("` | ")
          .append(setting.kind().form().replace("|", ", "))
          .append(" | ")
          .append(setting.standard().isEmpty() ? "" : "`" + setting.standard() + "`")
          .append(" | ")
          .append(setting.text())
          .append(" |\n");
    }
    return page.toString();
  }
}

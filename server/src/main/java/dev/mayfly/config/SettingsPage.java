package dev.mayfly.config;

/** The table of settings as a page to read. */
public final class SettingsPage {
  private static final String HEAD =
      """
      # Configuration

      Every setting has one name. `mongo-port`, for one, is the line `mongo-port: 27018` in a file,
      the variable `MAYFLY_MONGO_PORT=27018` in the environment, and the option `--mongo-port 27018`
      of `mayfly serve`. Options win over the environment, the environment over the file, the file
      over what is standard.

      The file is `mayfly.yaml` in the working directory, or the one named by `--config` or
      `MAYFLY_CONFIG`: YAML with one name and one plain value in each line, `#` begins a comment. A
      name that does not exist is refused, in the file and in the environment alike, with the one
      that was probably meant. Sizes are bytes, or have a unit: `64m`, `2g`. Other users of a
      machine can see options: secrets belong in the environment or the file.

      `memory` bounds the whole process. The launcher `mayfly` gives three eighths of it to the
      heap (three quarters with `in-memory`, where all data is kept there) and at most an eighth to
      network buffers; the store gets what Java itself leaves of the rest. An idle server gives
      memory back. Started as `java -jar mayfly.jar`, the heap is as large as Java's own options
      say, and a warning in the log names the option that fits. The launcher takes further options
      of Java from `MAYFLY_JAVA_OPTIONS`.

      This page is made by `mayfly settings`.

      | setting | values | standard | what it does |
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

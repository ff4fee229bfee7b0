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

      Java has options of its own; the launcher takes them from `MAYFLY_JAVA_OPTIONS`. The heap is a
      quarter of the machine's memory at most; `-Xmx1g` says otherwise. A quarter of `memory` is
      on the heap, but no more than a quarter of that.

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

package dev.mayfly.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of all settings. Precedence: option, environment, file, default. */
public final class Configuration {
  private static final String PREFIX = "MAYFLY_";

  private final Map<Setting, String> values;
  private final Map<Setting, String> sources;

  private Configuration(Map<Setting, String> values, Map<Setting, String> sources) {
    this.values = values;
    this.sources = sources;
  }

  /**
   * Merges the sources and validates every value.
   *
   * @param options values by setting name
   * @param environment all variables; those without Mayfly's prefix are ignored
   * @param file values by setting name
   * @param others variables with Mayfly's prefix that are not settings
   * @throws ConfigurationException when a value is invalid, or a variable or key is unknown
   */
  public static Configuration of(
      Map<String, String> options,
      Map<String, String> environment,
      Map<String, String> file,
      List<String> others) {
    checkVariables(environment, others);
    checkKeys(file);
    Map<Setting, String> values = new HashMap<>();
    Map<Setting, String> sources = new HashMap<>();
    for (Setting setting : Settings.ALL) {
      put(values, setting, setting.name() + " in the file", file.get(setting.name()));
      put(values, setting, setting.variable(), environment.get(setting.variable()));
      put(values, setting, setting.option(), options.get(setting.name()));
      if (options.containsKey(setting.name())) {
        sources.put(setting, "option");
      } else if (environment.containsKey(setting.variable())) {
        sources.put(setting, "environment");
      } else if (file.containsKey(setting.name())) {
        sources.put(setting, "file");
      }
    }
    return new Configuration(values, sources);
  }

  private static void put(
      Map<Setting, String> values, Setting setting, String where, @Nullable String value) {
    if (value == null) {
      return;
    }
    setting
        .kind()
        .problem(value)
        .ifPresent(
            problem -> {
              throw new ConfigurationException(where + " " + problem);
            });
    values.put(setting, value);
  }

  private static void checkVariables(Map<String, String> environment, List<String> others) {
    List<String> known = Settings.ALL.stream().map(Setting::variable).toList();
    for (String name : environment.keySet()) {
      if (name.startsWith(PREFIX) && !known.contains(name) && !others.contains(name)) {
        throw unknown("Unknown setting in the environment: " + name, name, known);
      }
    }
  }

  private static void checkKeys(Map<String, String> file) {
    List<String> known = Settings.ALL.stream().map(Setting::name).toList();
    for (String name : file.keySet()) {
      if (!known.contains(name)) {
        throw unknown("Unknown setting in the file: " + name, name, known);
      }
    }
  }

  private static ConfigurationException unknown(String text, String name, List<String> known) {
    String suggestion =
        Suggestion.of(name, known).map(near -> ". Did you mean " + near + "?").orElse(".");
    return new ConfigurationException(text + suggestion);
  }

  /** Where its value comes from: option, environment, file or default. */
  public String source(Setting setting) {
    return sources.getOrDefault(setting, "default");
  }

  /** Whether a source sets it. */
  public boolean isSet(Setting setting) {
    return values.containsKey(setting);
  }

  /** Whether its value is {@code off}. */
  public boolean off(Setting setting) {
    return text(setting).equals("off");
  }

  public String text(Setting setting) {
    return values.getOrDefault(setting, setting.standard());
  }

  public boolean on(Setting setting) {
    return Boolean.parseBoolean(text(setting));
  }

  public int number(Setting setting) {
    return Integer.parseInt(text(setting));
  }

  /** The value of a size in bytes. */
  public long bytes(Setting setting) {
    return Kind.Size.bytes(text(setting));
  }
}

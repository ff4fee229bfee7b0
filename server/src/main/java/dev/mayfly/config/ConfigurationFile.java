package dev.mayfly.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads {@code mayfly.yaml}: one name and one plain value in each line. */
public final class ConfigurationFile {
  /** The file that is read, if it is there, when none is named. */
  public static final Path STANDARD = Path.of("mayfly.yaml");

  private ConfigurationFile() {}

  /**
   * What the file says, by name.
   *
   * @throws ConfigurationException when it cannot be read, or is not as simple as that
   */
  public static Map<String, String> read(Path file) {
    try {
      return parse(Files.readString(file), file.toString());
    } catch (IOException failure) {
      throw new ConfigurationException("The file " + file + " cannot be read.", failure);
    }
  }

  static Map<String, String> parse(String yaml, String label) {
    LoadSettings strict =
        LoadSettings.builder().setLabel(label).setAllowDuplicateKeys(false).build();
    try {
      return plain(new Load(strict).loadFromString(yaml), label);
    } catch (YamlEngineException nonsense) {
      throw new ConfigurationException(label + " is no YAML: " + nonsense.getMessage(), nonsense);
    }
  }

  private static Map<String, String> plain(@Nullable Object root, String label) {
    Map<String, String> values = new LinkedHashMap<>();
    if (root == null) {
      return values;
    }
    if (!(root instanceof Map<?, ?> entries)) {
      throw new ConfigurationException(label + " has to consist of lines like 'bind: 127.0.0.1'.");
    }
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      Object value = entry.getValue();
      if (!(value instanceof String || value instanceof Number || value instanceof Boolean)) {
        throw new ConfigurationException(
            label + ": the value of " + entry.getKey() + " has to be a plain word or number.");
      }
      values.put(String.valueOf(entry.getKey()), value.toString());
    }
    return values;
  }
}

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

/** Reads {@code mayfly.yaml}: one name and one scalar value per line. */
public final class ConfigurationFile {
  /** The file that is read by default, if it exists. */
  public static final Path STANDARD = Path.of("mayfly.yaml");

  private ConfigurationFile() {}

  /**
   * Returns the values of a file by setting name.
   *
   * @throws ConfigurationException when the file is unreadable, is not YAML, or has nested values
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
      return values(new Load(strict).loadFromString(yaml), label);
    } catch (YamlEngineException invalid) {
      throw new ConfigurationException(
          label + " is not valid YAML: " + invalid.getMessage(), invalid);
    }
  }

  private static Map<String, String> values(@Nullable Object root, String label) {
    Map<String, String> values = new LinkedHashMap<>();
    if (root == null) {
      return values;
    }
    if (!(root instanceof Map<?, ?> entries)) {
      throw new ConfigurationException(label + " must contain lines such as 'bind: 127.0.0.1'.");
    }
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      Object value = entry.getValue();
      if (!(value instanceof String || value instanceof Number || value instanceof Boolean)) {
        throw new ConfigurationException(
            label + ": the value of " + entry.getKey() + " must be a word or a number.");
      }
      values.put(String.valueOf(entry.getKey()), value.toString());
    }
    return values;
  }
}

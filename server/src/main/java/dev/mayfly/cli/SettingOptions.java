package dev.mayfly.cli;

import dev.mayfly.config.Configuration;
import dev.mayfly.config.ConfigurationFile;
import dev.mayfly.config.Kind;
import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Generates command line options from the table of settings. */
final class SettingOptions {
  private static final String CONFIG = "--config";
  private static final String CONFIG_VARIABLE = "MAYFLY_CONFIG";

  /** Variables of the launcher and of the test packages, which are not settings. */
  private static final List<String> OTHER_VARIABLES =
      List.of(CONFIG_VARIABLE, "MAYFLY_JAVA_OPTIONS", "MAYFLY_JAR");

  private SettingOptions() {}

  static void add(CommandSpec command, List<Setting> settings) {
    settings.forEach(setting -> command.addOption(option(setting)));
    command.addOption(
        OptionSpec.builder(CONFIG)
            .type(String.class)
            .paramLabel("FILE")
            .description("File with settings; default is mayfly.yaml if it exists.")
            .build());
  }

  private static OptionSpec option(Setting setting) {
    OptionSpec.Builder option =
        OptionSpec.builder(setting.option())
            .type(String.class)
            .paramLabel(setting.kind().form())
            .description(setting.text() + standard(setting) + ".");
    if (setting.kind() instanceof Kind.Choice choice && choice.isSwitch()) {
      option.arity("0..1").fallbackValue("true");
    }
    return option.build();
  }

  private static String standard(Setting setting) {
    return setting.standard().isEmpty() ? "" : " [" + setting.standard() + "]";
  }

  /** Merges options, environment and file. */
  static Configuration configuration(ParseResult parsed, Map<String, String> environment) {
    Map<String, String> options = new HashMap<>();
    for (Setting setting : Settings.ALL) {
      String value = value(parsed, setting.option());
      if (value != null) {
        options.put(setting.name(), value);
      }
    }
    Map<String, String> file = file(value(parsed, CONFIG), environment);
    return Configuration.of(options, environment, file, OTHER_VARIABLES);
  }

  /** Merges environment and file. */
  static Configuration configuration(Optional<Path> file, Map<String, String> environment) {
    String named = file.map(Path::toString).orElse(null);
    return Configuration.of(Map.of(), environment, file(named, environment), OTHER_VARIABLES);
  }

  private static Map<String, String> file(@Nullable String named, Map<String, String> environment) {
    String path = named == null ? environment.get(CONFIG_VARIABLE) : named;
    if (path != null) {
      return ConfigurationFile.read(Path.of(path));
    }
    return Files.exists(ConfigurationFile.STANDARD)
        ? ConfigurationFile.read(ConfigurationFile.STANDARD)
        : Map.of();
  }

  private static @Nullable String value(ParseResult parsed, String option) {
    return parsed.matchedOptionValue(option, (String) null);
  }
}

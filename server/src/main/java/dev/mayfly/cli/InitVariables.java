package dev.mayfly.cli;

import dev.mayfly.config.ConfigurationException;
import dev.mayfly.server.EmulatorSettings.RootUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Variables of the {@code mongo} image that create its first user. As there, the value can also be
 * in a file that a variable with the ending {@code _FILE} names.
 */
final class InitVariables {
  static final String USERNAME = "MONGO_INITDB_ROOT_USERNAME";
  static final String PASSWORD = "MONGO_INITDB_ROOT_PASSWORD";
  private static final String IN_FILE = "_FILE";

  private InitVariables() {}

  /**
   * The first user; empty if the variables are not set.
   *
   * @throws ConfigurationException when only one of them is set, or a file cannot be read
   */
  static Optional<RootUser> root(Map<String, String> environment) {
    String name = value(environment, USERNAME);
    String password = value(environment, PASSWORD);
    if (name.isEmpty() && password.isEmpty()) {
      return Optional.empty();
    }
    if (name.isEmpty() || password.isEmpty()) {
      throw new ConfigurationException(
          "Only one of " + USERNAME + " and " + PASSWORD + " is set: set both, or neither.");
    }
    return Optional.of(new RootUser(name, password));
  }

  private static String value(Map<String, String> environment, String variable) {
    String value = environment.getOrDefault(variable, "");
    String file = environment.getOrDefault(variable + IN_FILE, "");
    if (file.isEmpty()) {
      return value;
    }
    if (!value.isEmpty()) {
      throw new ConfigurationException(
          "Both " + variable + " and " + variable + IN_FILE + " are set: use only one of them.");
    }
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException unreadable) {
      throw new ConfigurationException(
          variable + IN_FILE + " names a file that cannot be read: " + file + ".", unreadable);
    }
  }
}

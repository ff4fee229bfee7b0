package dev.mayfly.config;

/**
 * An invalid setting. The message is a sentence that explains to the operator how to correct it.
 */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ConfigurationException(String message) {
    super(message);
  }

  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}

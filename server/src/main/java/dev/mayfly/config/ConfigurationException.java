package dev.mayfly.config;

/** A setting that makes no sense. The message is a sentence for the operator, who can mend it. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ConfigurationException(String message) {
    super(message);
  }

  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}

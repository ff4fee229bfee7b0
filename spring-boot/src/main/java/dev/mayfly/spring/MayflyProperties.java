package dev.mayfly.spring;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the starter.
 *
 * @param enabled whether a server is started and used
 * @param clock whether the clock stops between its moves or goes on
 * @param seed directory with definitions and documents for the empty server
 */
@ConfigurationProperties("mayfly")
public record MayflyProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("standing") ClockKind clock,
    @Nullable Path seed) {

  /** How a clock behaves between its moves. */
  public enum ClockKind {
    /** It stops. It starts at the time of the system. */
    STANDING,
    /** It goes on with the system clock. */
    OFFSET
  }
}

package dev.mayfly.mongo.collection;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Parser of {@code mayflySliding}: whether reads extend the lives of documents. This option is
 * Mayfly's own.
 */
public final class SlidingOption {
  public static final String FIELD = "mayflySliding";

  private SlidingOption() {}

  /**
   * Returns the options of a sliding rule; empty if the rule does not slide.
   *
   * @throws CommandException BAD_VALUE
   */
  public static Optional<Sliding> of(Value value) {
    try {
      return Sliding.of(value);
    } catch (EngineException refused) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "'" + FIELD + "' is invalid: " + refused.detail());
    }
  }

  /** Returns the value to list; missing if the rule does not slide. */
  public static Value listed(Optional<Sliding> sliding) {
    return sliding.map(Sliding::form).orElse(Value.MISSING);
  }
}

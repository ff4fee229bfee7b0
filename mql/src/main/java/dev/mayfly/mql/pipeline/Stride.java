package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.function.Arithmetic;
import dev.mayfly.mql.function.DateUnits;
import dev.mayfly.value.Value;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Step between two values of a dense series.
 *
 * @param step positive
 * @param unit of the step for dates; empty for numbers
 */
public record Stride(Value step, Optional<DateUnits> unit) {
  Value after(Value value) {
    return unit.isPresent()
        ? unit.get().add(value.asDate(), step.asLong(), ZoneOffset.UTC)
        : Arithmetic.add(value, step);
  }
}

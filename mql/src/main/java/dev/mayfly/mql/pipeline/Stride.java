package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.function.Arithmetic;
import dev.mayfly.mql.function.DateUnits;
import dev.mayfly.value.Value;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * From one value of a dense series to the next.
 *
 * @param step how far, which is more than nothing
 * @param unit of what, for dates; none for numbers
 */
public record Stride(Value step, Optional<DateUnits> unit) {
  Value after(Value value) {
    return unit.isPresent()
        ? unit.get().add(value.asDate(), step.asLong(), ZoneOffset.UTC)
        : Arithmetic.add(value, step);
  }
}

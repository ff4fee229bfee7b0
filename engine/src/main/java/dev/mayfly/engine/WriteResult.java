package dev.mayfly.engine;

import java.util.List;

/**
 * What became of a group of writes.
 *
 * @param outcomes one per write, in their order
 * @param charge in request units
 */
public record WriteResult(List<WriteOutcome> outcomes, double charge) {
  public WriteResult {
    outcomes = List.copyOf(outcomes);
  }

  /** The outcome of a group of one; throws its failure. */
  public WriteOutcome only() {
    WriteOutcome outcome = outcomes.getFirst();
    if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
      throw failure;
    }
    return outcome;
  }

  /** True when no write failed or was skipped. */
  public boolean complete() {
    return outcomes.stream()
        .noneMatch(
            outcome ->
                outcome instanceof WriteOutcome.Failed || outcome instanceof WriteOutcome.Skipped);
  }
}

package dev.mayfly.engine;

import java.util.List;

/**
 * Outcomes and cost of a call with several writes.
 *
 * @param outcomes one per write, in their order
 * @param charge in request units
 */
public record WriteResult(List<WriteOutcome> outcomes, double charge) {
  public WriteResult {
    outcomes = List.copyOf(outcomes);
  }

  /** Returns the outcome of a single write; throws its failure. */
  public WriteOutcome only() {
    WriteOutcome outcome = outcomes.getFirst();
    if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
      throw failure;
    }
    return outcome;
  }

  /** Returns whether no write failed or was skipped. */
  public boolean complete() {
    return outcomes.stream()
        .noneMatch(
            outcome ->
                outcome instanceof WriteOutcome.Failed || outcome instanceof WriteOutcome.Skipped);
  }
}

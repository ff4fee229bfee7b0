package dev.mayfly.engine;

import java.util.List;

/**
 * What became of a group of writes.
 *
 * @param outcomes one per write, in their order
 * @param charge in request units
 */
public record WriteReply(List<Outcome> outcomes, double charge) {
  public WriteReply {
    outcomes = List.copyOf(outcomes);
  }

  /** The outcome of a group of one; throws its failure. */
  public Outcome only() {
    Outcome outcome = outcomes.getFirst();
    if (outcome instanceof Outcome.Failed(EngineException failure)) {
      throw failure;
    }
    return outcome;
  }

  /** True when no write failed or was skipped. */
  public boolean complete() {
    return outcomes.stream()
        .noneMatch(
            outcome -> outcome instanceof Outcome.Failed || outcome instanceof Outcome.Skipped);
  }
}

package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.RunningCount.Difference;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Tells what will expire in a collection, and what would under other rules, before it does. */
final class Outlook {
  private final Engine engine;
  private final Collection collection;

  Outlook(Engine engine, Collection collection) {
    this.engine = engine;
    this.collection = collection;
  }

  /** The live documents that will have expired at an instant, by rule. */
  Forecast forecast(long now, long until) {
    return undisturbed(state -> forecast(state, now, until));
  }

  private Forecast forecast(CollectionState state, long now, long until) {
    Map<String, Usage> byRule = new TreeMap<>();
    for (ShardOwner owner : collection.owners()) {
      owner
          .census()
          .between(state, owner.schedule().at(now), owner.schedule().at(Math.max(until, now)))
          .forEach((lane, usage) -> byRule.merge(state.ruleOf(lane), usage, Usage::plus));
    }
    return new Forecast(until, byRule);
  }

  /** What a change would expire at once, without doing it. */
  Usage whatIf(UnaryOperator<CollectionSpec> change, long now) {
    return undisturbed(state -> whatIf(state, change, now));
  }

  private Usage whatIf(CollectionState state, UnaryOperator<CollectionSpec> change, long now) {
    Moment at = engine.registry().moment(now);
    long sequence = engine.sequence().peek();
    CollectionState next = Alteration.apply(state, change.apply(state.spec()), at, sequence);
    try (RunningCount count = new RunningCount(collection)) {
      return count.count(Difference.between(state, next, now));
    }
  }

  /** Refuses what expires more than it may. */
  static void checkExpired(Usage expired, long most) {
    if (expired.documents() > most) {
      throw new EngineException(
          Reason.EXPIRES_TOO_MUCH,
          expired.documents() + " documents would expire at once",
          expired.documents());
    }
  }

  /** Asks again until the collection was in one state all the time. */
  private <T> T undisturbed(Function<CollectionState, T> question) {
    while (true) {
      Compiled before = collection.compiled();
      if (collection.inForce(before)) {
        Optional<T> answer = Optional.empty();
        try {
          answer = Optional.of(question.apply(before.state()));
        } catch (RuntimeException failed) {
          if (collection.inForce(before)) {
            throw failed;
          }
        }
        if (answer.isPresent() && collection.inForce(before)) {
          return answer.get();
        }
      }
    }
  }
}

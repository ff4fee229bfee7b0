package dev.mayfly.engine.local;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.catalog.ChangeTime;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.local.RunningCount.Difference;
import dev.mayfly.engine.shard.ShardOwner;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Tells what will expire in a collection, and what would under other rules, before it does. */
final class ExpiryForecaster {
  private final LocalEngine engine;
  private final LocalCollection collection;

  ExpiryForecaster(LocalEngine engine, LocalCollection collection) {
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
          .liveCounter()
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
    ChangeTime at = engine.registry().moment(now);
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
      CompiledCollection before = collection.compiled();
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

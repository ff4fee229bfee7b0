package dev.mayfly.engine;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.Alarm.Severity;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Table of the raised alarms, at most one for each kind and subject. Background work raises an
 * alarm when something is wrong and clears it when that is over; readiness and metrics show them.
 * Safe for many threads.
 *
 * <p>An alarm is logged when it is raised, when its severity changes and when it is cleared, not
 * every time it is raised again.
 */
public final class Alarms {
  private static final Logger LOG = System.getLogger(Alarms.class.getName());

  private final Map<Key, Alarm> raised = new ConcurrentHashMap<>();

  private record Key(Kind kind, String subject) {}

  /**
   * Raises an alarm. If it is raised already, its severity and text are replaced, and its start
   * time stays.
   *
   * @param now in epoch milliseconds
   */
  public void raise(Kind kind, String subject, Severity severity, long now, String text) {
    raised.compute(
        new Key(kind, subject),
        (_, before) -> {
          if (before == null || before.severity() != severity) {
            Level level = severity == Severity.CRITICAL ? Level.ERROR : Level.WARNING;
            LOG.log(level, "alarm raised: {0}: {1}", kind, text);
          }
          long since = before == null ? now : before.since();
          return new Alarm(kind, subject, severity, since, text);
        });
  }

  /** Clears an alarm, if it is raised. */
  public void clear(Kind kind, String subject) {
    Alarm over = raised.remove(new Key(kind, subject));
    if (over != null) {
      LOG.log(Level.INFO, "alarm cleared: {0}: {1}", kind, over.text());
    }
  }

  /** All alarms that are raised, in order of kind and subject. */
  public List<Alarm> raised() {
    return raised.values().stream()
        .sorted(Comparator.comparing(Alarm::kind).thenComparing(Alarm::subject))
        .toList();
  }

  /** Returns whether an alarm of a severity is raised. */
  public boolean any(Severity severity) {
    return raised.values().stream().anyMatch(alarm -> alarm.severity() == severity);
  }

  /** The number of raised alarms of a kind. */
  public long count(Kind kind) {
    return raised.values().stream().filter(alarm -> alarm.kind() == kind).count();
  }
}

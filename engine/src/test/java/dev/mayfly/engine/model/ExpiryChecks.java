package dev.mayfly.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.ExpiryService.RuleVerdict;
import dev.mayfly.engine.ExpiryService.Soonest;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.ExpiryService.WhatIf;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Forecast.Series;
import dev.mayfly.engine.Forecast.Series.Spans;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.expiry.Deadline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Compares explanations, the order of deadlines and forecasts by spans with the model. */
final class ExpiryChecks {
  private final Model model;
  private static final long WITHIN = 6000;

  private final List<ModelKey> keys;

  /** By version: the instant through which documents that were reported may expire. */
  private final Map<Long, Long> warned = new HashMap<>();

  private String warnedTo = "";
  private String warnedBy = "";

  ExpiryChecks(Model model, List<ModelKey> keys) {
    this.model = model;
    this.keys = keys;
  }

  /**
   * Reads the next warnings: afterwards every live version with a deadline within the time was
   * reported, again if a touch has moved its deadline beyond that time, and nothing else was.
   *
   * @param confirmed the time that removals use
   */
  void warnings(LocalCollection collection, int most, long now, long confirmed) {
    if (collection.state().building()) {
      return;
    }
    if (confirmed < now) {
      Warnings none = collection.expiry().warnings(warnedTo, WITHIN, most);
      assertThat(none.documents()).isEmpty();
      warnedTo = none.next();
      return;
    }
    String rules = collection.expiry().rulesTag();
    if (!rules.equals(warnedBy)) {
      warned.clear();
      warnedBy = rules;
    }
    long until = now + WITHIN;
    Map<Long, Long> deadlines = new HashMap<>();
    for (ModelDocument document : model.live(now).values()) {
      deadlines.put(document.version(), model.rules().deadline(document));
    }
    Warnings next;
    do {
      next = collection.expiry().warnings(warnedTo, WITHIN, most);
      warnedTo = next.next();
      for (Soonest.Due due : next.documents()) {
        long version = due.stored().version();
        assertThat(due.stored().deadline())
            .as("%s", due)
            .isBetween(now + 1, until)
            .isEqualTo(deadlines.get(version));
        warned.put(version, until);
      }
    } while (next.more());
    deadlines.forEach(
        (version, deadline) -> {
          if (deadline <= until) {
            assertThat(warned.getOrDefault(version, Long.MIN_VALUE))
                .as("version %s, which expires at %s, is reported", version, deadline)
                .isGreaterThanOrEqualTo(deadline);
          }
        });
  }

  /** Explains all keys. */
  void explain(LocalCollection collection, long now) {
    List<Life> lives =
        collection.expiry().explain(keys.stream().map(ModelKey::documentKey).toList());
    assertThat(lives).hasSameSizeAs(keys);
    for (int i = 0; i < keys.size(); i++) {
      ModelKey key = keys.get(i);
      Life life = lives.get(i);
      assertThat(life.key()).isEqualTo(key.documentKey());
      if (model.live(key, now).isPresent()) {
        live(life, model.live(key, now).get());
      } else if (model.find(key).isPresent()) {
        expired(life, model.find(key).get());
      } else {
        assertThat(life.state() == Life.State.ABSENT || life.swept())
            .as("%s is gone", key)
            .isTrue();
      }
    }
  }

  private void live(Life life, ModelDocument document) {
    assertThat(life.state()).as("%s", document).isEqualTo(Life.State.LIVE);
    assertThat(life.version()).isEqualTo(document.version());
    assertThat(life.writtenAt()).isEqualTo(document.writtenAt());
    long deadline = model.rules().deadline(document);
    assertThat(life.deadline()).as("deadline of %s", document).isEqualTo(deadline);
    Map<String, Long> expected = new TreeMap<>();
    model
        .rules()
        .deadlines(document)
        .forEach(
            (rule, one) -> {
              if (one != Deadline.NEVER) {
                expected.put(name(rule), one);
              }
            });
    Map<String, Long> reported = new TreeMap<>();
    for (RuleVerdict verdict : life.verdicts()) {
      assertThat(verdict.never().isPresent())
          .as("%s of %s", verdict, document)
          .isEqualTo(verdict.deadline() == Deadline.NEVER);
      assertThat(verdict.why().isEmpty()).isEqualTo(verdict.never().isEmpty());
      if (verdict.deadline() != Deadline.NEVER) {
        reported.put(verdict.rule(), verdict.deadline());
      }
    }
    assertThat(reported).as("deadlines of %s", document).isEqualTo(expected);
    if (deadline == Deadline.NEVER) {
      assertThat(life.rule()).isEmpty();
      assertThat(life.never()).isPresent();
    } else {
      assertThat(expected).as("rule of %s", document).containsEntry(life.rule(), deadline);
      assertThat(life.never()).isEmpty();
    }
  }

  private void expired(Life life, ModelDocument document) {
    assertThat(life.state()).as("%s", document).isEqualTo(Life.State.EXPIRED);
    assertThat(life.version()).isEqualTo(document.version());
    assertThat(life.swept()).as("%s is swept", document).isFalse();
    assertThat(model.deadlinesSince(document))
        .as("deadlines of %s", document)
        .contains(life.deadline());
    assertThat(life.rule()).isNotEmpty();
  }

  /** The names of rules in the model have the generation of their index. */
  private static String name(String rule) {
    return rule.substring(0, rule.indexOf('#'));
  }

  /** Reads all documents in the order of their deadlines, in pages. */
  void soonest(LocalCollection collection, int page, long now) {
    List<ModelDocument> expected =
        model.live(now).values().stream()
            .filter(document -> model.rules().deadline(document) != Deadline.NEVER)
            .sorted(Comparator.comparingLong(model.rules()::deadline))
            .toList();
    List<Soonest.Due> found = new ArrayList<>();
    String after = "";
    do {
      Soonest part = collection.expiry().soonest(after, page, () -> false);
      assertThat(part.complete()).isTrue();
      assertThat(part.documents().size()).isLessThanOrEqualTo(page);
      assertThat(part.next().isPresent()).isEqualTo(found.size() + page < expected.size());
      found.addAll(part.documents());
      after = part.next().orElse("");
    } while (!after.isEmpty());
    assertThat(found.stream().map(due -> due.stored().deadline()))
        .as("deadlines in order")
        .isEqualTo(expected.stream().map(model.rules()::deadline).toList());
    Map<ModelKey, Soonest.Due> byKey = new HashMap<>();
    for (Soonest.Due due : found) {
      assertThat(byKey.put(ModelKey.of(due.key()), due)).as("%s twice", due.key()).isNull();
    }
    for (ModelDocument document : expected) {
      Soonest.Due due = byKey.get(document.key());
      assertThat(due).as("%s is due", document).isNotNull();
      assertThat(due.stored()).isEqualTo(document.stored(model.rules()));
      assertThat(rulesOf(model.rules(), document)).contains(due.rule());
    }
  }

  /** The rules that give a document its deadline. */
  private static List<String> rulesOf(ModelRules rules, ModelDocument document) {
    long deadline = rules.deadline(document);
    return rules.deadlines(document).entrySet().stream()
        .filter(rule -> rule.getValue() == deadline)
        .map(rule -> name(rule.getKey()))
        .toList();
  }

  /**
   * Compares a forecast by spans.
   *
   * @param checks how often the walk may ask whether to stop before it must
   */
  void forecast(LocalCollection collection, Spans spans, int checks, long now) {
    series(
        collection.expiry().forecast(spans, stopAfter(checks)), model.rules(), spans, checks, now);
  }

  private static BooleanSupplier stopAfter(int checks) {
    int[] left = {checks};
    return () -> left[0]-- <= 0;
  }

  /**
   * Compares a forecast under other rules with the model; documents that they expire do not count.
   */
  void series(Series series, ModelRules rules, Spans spans, int checks, long now) {
    assertThat(series.now()).isEqualTo(now);
    assertThat(series.spans()).hasSize(spans.count());
    assertThat(series.complete())
        .isEqualTo(series.exactUntil() == spans.end(now, spans.count() - 1));
    if (checks == Integer.MAX_VALUE) {
      assertThat(series.complete()).isTrue();
      assertThat(series.later()).isPresent();
    }
    long start = now;
    for (Forecast span : series.spans()) {
      long from = start;
      assertThat(span.until()).isEqualTo(from + spans.spanMillis());
      compare(
          span,
          rules,
          document -> rules.deadline(document) > from && rules.deadline(document) <= span.until(),
          span.until() <= series.exactUntil(),
          now);
      start = span.until();
    }
    long end = start;
    series
        .later()
        .ifPresent(
            later ->
                assertThat(later)
                    .as("later than %s", end - now)
                    .isEqualTo(
                        Model.usage(
                            live(
                                document ->
                                    rules.deadline(document) > end
                                        && rules.deadline(document) != Deadline.NEVER,
                                now))));
  }

  private List<ModelDocument> live(Predicate<ModelDocument> which, long now) {
    return model.live(now).values().stream().filter(which).toList();
  }

  private void compare(
      Forecast span, ModelRules rules, Predicate<ModelDocument> due, boolean exact, long now) {
    Usage total = Usage.NONE;
    Map<String, Usage> most = new TreeMap<>();
    Map<String, Usage> least = new TreeMap<>();
    for (ModelDocument document : live(due, now)) {
      Usage one = new Usage(1, document.document().length());
      total = total.plus(one);
      List<String> first = rulesOf(rules, document);
      for (String rule : first) {
        most.merge(rule, one, Usage::plus);
        least.merge(rule, first.size() == 1 && exact ? one : Usage.NONE, Usage::plus);
      }
    }
    if (exact) {
      assertThat(span.total()).as("due until %s", span.until() - now).isEqualTo(total);
    } else {
      assertThat(span.total().documents()).isLessThanOrEqualTo(total.documents());
    }
    assertThat(most.keySet()).containsAll(span.byRule().keySet());
    most.forEach(
        (rule, bound) ->
            assertThat(span.byRule().getOrDefault(rule, Usage.NONE).documents())
                .as("due by %s until %s", rule, span.until() - now)
                .isBetween(least.getOrDefault(rule, Usage.NONE).documents(), bound.documents()));
  }

  /** Compares what rules would expire, by rule and by key. */
  void whatIf(WhatIf found, ModelRules proposed, int mostKeys, long now) {
    Map<ModelKey, ModelDocument> expected = new HashMap<>();
    live(document -> proposed.deadline(document) <= now, now)
        .forEach(document -> expected.put(document.key(), document));
    assertThat(found.expired()).isEqualTo(Model.usage(expected.values()));
    assertThat(found.keys()).hasSize(Math.min(mostKeys, expected.size())).doesNotHaveDuplicates();
    assertThat(expected.keySet()).containsAll(found.keys().stream().map(ModelKey::of).toList());
  }

  /** Compares the documents that do not expire. */
  void neverExpiring(LocalCollection collection, long now) {
    NeverExpiring found = collection.expiry().neverExpiring(Integer.MAX_VALUE / 100);
    assertThat(found.exact()).isTrue();
    assertThat(found.sampled()).isEqualTo(model.live(now).size());
    int never = live(document -> model.rules().deadline(document) == Deadline.NEVER, now).size();
    assertThat(found.documents()).isEqualTo(never);
    assertThat(collection.expiry().countNeverExpiring(() -> false)).hasValue(never);
  }
}

package dev.mayfly.engine.model;

import dev.mayfly.engine.ExpiryService.NewLife;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.expiry.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Touches of many documents in the model, by the documentation: which fields a document has after
 * its life was started again, set or extended by a rule.
 *
 * @param rule {@code default} without a property, or a TTL index of dates
 * @param seconds the life that the rule gives
 * @param path the field of the rule, of one or two names; empty for the default TTL
 * @param onlyColour documents of another colour are not in the index; empty for all
 */
record ModelTouches(String rule, long seconds, String path, String onlyColour, NewLife life) {
  private static final int MAX_TTL = 2_147_483_647;

  /** Fields that hold dates. */
  private static final Set<String> DATES = Set.of("at", "box.when");

  /** The rules whose deadlines the model can set. */
  static List<ModelTouches> rules(
      TimeToLive declared, Map<String, ModelIndex> indexes, NewLife life) {
    List<ModelTouches> rules = new ArrayList<>();
    if (declared.hasDefault() && declared.property().isEmpty()) {
      rules.add(new ModelTouches("default", declared.defaultSeconds(), "", "", life));
    }
    declared
        .indexes()
        .forEach(
            (name, seconds) -> {
              ModelIndex index = java.util.Objects.requireNonNull(indexes.get(name));
              if (declared.indexFormat(name) == TimeFormat.DATE
                  && DATES.contains(index.paths().getFirst())) {
                rules.add(
                    new ModelTouches(
                        "index:" + name,
                        seconds,
                        index.paths().getFirst(),
                        index.onlyColour(),
                        life));
              }
            });
    return rules;
  }

  /** Whether the rule can give documents such lives. */
  boolean isAllowed(TimeToLive declared) {
    return switch (life) {
      case NewLife.Restarted _ -> path.isEmpty() || seconds > 0;
      case NewLife.Until _, NewLife.Extended _ -> !declared.slides(rule);
    };
  }

  /** The fields of a document after the touch; empty if it is not written. */
  Optional<Map<String, Object>> apply(ModelDocument document, long now) {
    return path.isEmpty() ? withTtl(document, now) : withDate(document.fields(), now);
  }

  private Optional<Map<String, Object>> withTtl(ModelDocument document, long now) {
    long own = ModelDocument.ttl(document.fields()).orElse(seconds);
    long second = now / 1000 * 1000;
    return switch (life) {
      case NewLife.Restarted() -> own > 0 ? Optional.of(document.fields()) : Optional.empty();
      case NewLife.Until(long deadline) ->
          Optional.of(with(document.fields(), "ttl", ttl(deadline - second)));
      case NewLife.Extended(long byMillis) -> {
        long before = document.writtenAt() / 1000 * 1000 + own * 1000;
        yield own > 0
            ? Optional.of(with(document.fields(), "ttl", ttl(before + byMillis - second)))
            : Optional.empty();
      }
    };
  }

  private static int ttl(long millis) {
    return (int) Math.max(1, Math.min(MAX_TTL, Math.ceilDiv(millis, 1000)));
  }

  private Optional<Map<String, Object>> withDate(Map<String, Object> fields, long now) {
    boolean indexed =
        onlyColour.isEmpty() || ModelDocument.ends(fields, "colour").contains(onlyColour);
    if (!indexed) {
      return Optional.empty();
    }
    if (!path.contains(".")) {
      return moved(fields.get(path), now).map(date -> with(fields, path, date));
    }
    String outer = path.substring(0, path.indexOf('.'));
    String inner = path.substring(path.indexOf('.') + 1);
    Object box = fields.getOrDefault(outer, Map.of());
    if (!(box instanceof Map<?, ?> map)) {
      return Optional.empty();
    }
    Map<String, Object> content = new LinkedHashMap<>();
    map.forEach((name, value) -> content.put((String) name, value));
    return moved(content.get(inner), now)
        .map(date -> with(fields, outer, with(content, inner, date)));
  }

  /** The date in place of another value; empty if the rule leaves it. */
  private Optional<Instant> moved(@org.jspecify.annotations.Nullable Object before, long now) {
    if (before instanceof List<?>) {
      return Optional.empty();
    }
    return switch (life) {
      case NewLife.Restarted() -> Optional.of(Instant.ofEpochMilli(now));
      case NewLife.Until(long deadline) ->
          Optional.of(Instant.ofEpochMilli(deadline - seconds * 1000));
      case NewLife.Extended(long byMillis) ->
          before instanceof Instant date && date.toEpochMilli() <= Long.MAX_VALUE - byMillis
              ? Optional.of(Instant.ofEpochMilli(date.toEpochMilli() + byMillis))
              : Optional.empty();
    };
  }

  private static Map<String, Object> with(Map<String, Object> fields, String name, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(fields);
    changed.put(name, value);
    return changed;
  }
}

package dev.mayfly.engine.model;

import dev.mayfly.engine.Dialect;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random documents and numbers with many collisions: few ids, few dates, few keys. */
final class ModelDraw {
  private static final List<String> COLOURS = List.of("red", "green", "blue");
  private static final List<Object> BAD_TTLS =
      List.of(0, -5, 1.5, "60", Value.NULL, 3_000_000_000L, Double.NaN, List.of(5));
  private static final List<Long> FAR =
      List.of(Long.MIN_VALUE, -86_400_000L, 0L, Long.MAX_VALUE - 1, Long.MAX_VALUE);

  private final Random random;
  private final Dialect dialect;
  private final long start;

  /**
   * @param start the instant at which the history begins
   */
  ModelDraw(Random random, Dialect dialect, long start) {
    this.random = random;
    this.dialect = dialect;
    this.start = start;
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** All keys of documents. */
  static List<ModelKey> keys(Dialect dialect, long start) {
    List<ModelKey> keys = new ArrayList<>();
    if (dialect == Dialect.COSMOS) {
      for (String partition : List.of("x", "y", "z")) {
        for (String id : List.of("a", "b", "c", "d", "e", "f")) {
          keys.add(ModelKey.of(partition, id));
        }
      }
      return keys;
    }
    for (int i = 0; i < 8; i++) {
      keys.add(ModelKey.of("", i));
      keys.add(ModelKey.of("", Instant.ofEpochMilli(start + i / 2 * 4000L)));
    }
    keys.add(ModelKey.of("", "text"));
    keys.add(ModelKey.of("", Instant.ofEpochMilli(-1000)));
    return keys.stream().distinct().toList();
  }

  ModelKey key() {
    return oneOf(keys(dialect, start));
  }

  ModelKey key(String partition) {
    return oneOf(
        keys(dialect, start).stream().filter(key -> key.partition().equals(partition)).toList());
  }

  /** The fields of a document with that key. */
  Map<String, Object> fields(ModelKey key, long now) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (dialect == Dialect.COSMOS) {
      fields.put("id", key.id());
      fields.put("p", key.partition());
    } else {
      fields.put("_id", id(key.id()));
      maybe(70, fields, "at", dates(now));
      maybe(40, fields, "box", box(now));
    }
    maybe(40, fields, "ttl", ttl());
    maybe(60, fields, "base", base(now));
    maybe(80, fields, "colour", colour());
    maybe(80, fields, "n", below(10));
    maybe(70, fields, "u", unique());
    maybe(50, fields, "pad", "-".repeat(below(60)));
    return fields;
  }

  private void maybe(int percent, Map<String, Object> fields, String name, Object value) {
    if (chance(percent)) {
      fields.put(name, value);
    }
  }

  /** The same number in a random type of equal ids. */
  private Object id(Object id) {
    if (!(id instanceof Long number)) {
      return id;
    }
    return switch (below(4)) {
      case 0 -> number;
      case 1 -> number.doubleValue();
      default -> number.intValue();
    };
  }

  private Object base(long now) {
    return switch (below(20)) {
      case 0 -> "yesterday";
      case 1 -> nearDate(now).toString();
      case 2 -> nearDate(now).toEpochMilli();
      default -> now / 1000 + below(30) - 20;
    };
  }

  /** A format of times; mostly the standard one. */
  TimeFormat format(TimeFormat standard) {
    return chance(40) ? standard : oneOf(List.of(TimeFormat.values()));
  }

  /** A time in a random format. */
  private Object time(long now) {
    Instant time = nearDate(now);
    return switch (below(6)) {
      case 0 -> time.getEpochSecond();
      case 1 -> time.toEpochMilli() / 1000.0;
      case 2 -> time.toEpochMilli();
      case 3 -> time.toString();
      case 4 -> OffsetDateTime.ofInstant(time, ZoneOffset.ofHours(2)).toString();
      default ->
          Value.objectId(ByteBuffer.allocate(12).putInt((int) time.getEpochSecond()).array());
    };
  }

  private Object dates(long now) {
    return switch (below(14)) {
      case 10, 11, 12 -> time(now);
      case 13 -> List.of(time(now), time(now), date(now));
      case 0 -> "2024-01-01";
      case 1 -> List.of();
      case 2 -> List.of(date(now), date(now), 7);
      case 3 -> List.of(date(now), List.of(date(now)), date(now));
      case 4 -> now;
      default -> date(now);
    };
  }

  private Object box(long now) {
    return switch (below(4)) {
      case 0 -> List.of(Map.of("when", date(now)), Map.of("other", 1), Map.of("when", date(now)));
      case 1 -> Map.of("when", List.of(date(now), time(now)));
      default -> Map.of("when", chance(60) ? date(now) : time(now));
    };
  }

  private Instant date(long now) {
    return chance(3) ? Instant.ofEpochMilli(oneOf(FAR)) : nearDate(now);
  }

  /** Mostly a whole second near now, so that many documents share it. */
  Instant nearDate(long now) {
    long second = now / 1000 * 1000 + (below(16) - 8) * 1000L;
    return Instant.ofEpochMilli(chance(85) ? second : now + below(5000) - 2000);
  }

  private Object ttl() {
    return switch (below(10)) {
      case 0, 1 -> -1;
      case 2 -> oneOf(BAD_TTLS);
      case 3 -> (double) (1 + below(10));
      case 4 -> (long) (1 + below(10));
      case 5 -> Integer.MAX_VALUE;
      default -> 1 + below(10);
    };
  }

  private Object colour() {
    return dialect == Dialect.MONGO && chance(15)
        ? List.of(oneOf(COLOURS), oneOf(COLOURS))
        : oneOf(COLOURS);
  }

  private Object unique() {
    return dialect == Dialect.MONGO && chance(15)
        ? List.of(below(20), below(20))
        : chance(30) ? (Object) (double) below(20) : below(20);
  }

  String colourName() {
    return oneOf(COLOURS);
  }

  /** A TTL in seconds, mostly short. */
  long seconds() {
    return oneOf(List.of(1L, 2L, 3L, 5L, 8L, 13L, 30L, 1000L, 2_147_483_647L));
  }
}

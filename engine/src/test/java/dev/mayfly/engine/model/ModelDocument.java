package dev.mayfly.engine.model;

import dev.mayfly.engine.StoredDocument;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Document of the model, in plain Java values.
 *
 * @param fields numbers, strings, {@link Instant}s, lists, maps, and {@link Value} for the rest
 * @param usedAt the last write or touch
 * @param touchedAfter the number of rule changes before the last touch; 0 without one
 * @param keptDeadBy the rule changes whose watermarks keep it expired
 */
record ModelDocument(
    ModelKey key,
    Map<String, Object> fields,
    Document document,
    long version,
    long born,
    long writtenAt,
    long usedAt,
    int touchedAfter,
    Set<Integer> keptDeadBy) {

  private static final long LONGEST_TTL = 2_147_483_647L;

  ModelDocument {
    keptDeadBy = Set.copyOf(keptDeadBy);
  }

  ModelDocument keptDeadBy(int change) {
    Set<Integer> more = new TreeSet<>(keptDeadBy);
    more.add(change);
    return new ModelDocument(
        key, fields, document, version, born, writtenAt, usedAt, touchedAfter, more);
  }

  ModelDocument releasedBy(int change) {
    Set<Integer> fewer = new TreeSet<>(keptDeadBy);
    fewer.remove(change);
    return new ModelDocument(
        key, fields, document, version, born, writtenAt, usedAt, touchedAfter, fewer);
  }

  /** This document after a touch. */
  ModelDocument touched(long instant, int changes) {
    return new ModelDocument(
        key, fields, document, version, born, writtenAt, instant, changes, keptDeadBy);
  }

  /** The document that the collection must return. */
  StoredDocument stored(ModelRules rules) {
    return new StoredDocument(document, version, born, writtenAt, rules.deadline(this));
  }

  /** The valid ttl of some fields: -1 or 1..2147483647, of any number type. */
  static OptionalLong ttl(Map<String, Object> fields) {
    if (!(fields.get("ttl") instanceof Number number)) {
      return OptionalLong.empty();
    }
    long seconds = number.longValue();
    boolean whole = number.doubleValue() == seconds;
    boolean valid = whole && (seconds == -1 || (seconds >= 1 && seconds <= LONGEST_TTL));
    return valid ? OptionalLong.of(seconds) : OptionalLong.empty();
  }

  /** The earliest time at a path, including arrays of times and of objects. */
  static OptionalLong earliestTime(Map<String, Object> fields, String path, TimeFormat format) {
    return ends(fields, path).stream()
        .map(end -> time(end, format))
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .min();
  }

  /** The time of a value in a format. */
  static OptionalLong time(Object value, TimeFormat format) {
    return switch (format) {
      case DATE ->
          value instanceof Instant date
              ? OptionalLong.of(date.toEpochMilli())
              : OptionalLong.empty();
      case SECONDS ->
          value instanceof Number seconds && Math.abs(seconds.doubleValue()) <= 1e15
              ? OptionalLong.of(
                  new BigDecimal(seconds.toString())
                      .movePointRight(3)
                      .setScale(0, RoundingMode.HALF_EVEN)
                      .longValueExact())
              : OptionalLong.empty();
      case MILLISECONDS ->
          value instanceof Number millis
              ? OptionalLong.of((long) Math.floor(millis.doubleValue()))
              : OptionalLong.empty();
      case ISO_8601 -> value instanceof String text ? isoTime(text) : OptionalLong.empty();
      case OBJECT_ID ->
          value instanceof Value id && id.type() == Type.OBJECT_ID
              ? OptionalLong.of(
                  Integer.toUnsignedLong(ByteBuffer.wrap(id.asObjectId()).getInt()) * 1000)
              : OptionalLong.empty();
    };
  }

  private static OptionalLong isoTime(String text) {
    try {
      return OptionalLong.of(
          text.contains("T")
              ? OffsetDateTime.parse(text).toInstant().toEpochMilli()
              : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli());
    } catch (DateTimeParseException noTime) {
      return OptionalLong.empty();
    }
  }

  /** All values at a path; for an array, its elements that are not arrays. */
  static List<Object> ends(Map<String, Object> fields, String path) {
    int dot = path.indexOf('.');
    Object value = fields.get(dot < 0 ? path : path.substring(0, dot));
    if (value == null) {
      return List.of();
    }
    List<Object> ends = new ArrayList<>();
    for (Object one : value instanceof List<?> many ? many : List.of(value)) {
      if (dot < 0 && !(one instanceof List<?>)) {
        ends.add(one);
      } else if (dot >= 0 && one instanceof Map<?, ?> inner) {
        ends.addAll(ends(plain(inner), path.substring(dot + 1)));
      }
    }
    return ends;
  }

  private static Map<String, Object> plain(Map<?, ?> map) {
    Map<String, Object> fields = new java.util.LinkedHashMap<>();
    map.forEach((name, value) -> fields.put((String) name, value));
    return fields;
  }

  static Document encode(Map<String, Object> fields) {
    DocumentWriter writer = Document.writer();
    fields.forEach((name, value) -> writer.put(name, value(value)));
    return writer.build();
  }

  static Value value(Object plain) {
    return switch (plain) {
      case Value value -> value;
      case Integer number -> Value.of(number);
      case Long number -> Value.of(number);
      case Double number -> Value.of(number);
      case String text -> Value.of(text);
      case Instant date -> Value.date(date.toEpochMilli());
      case List<?> list -> Value.array(list.stream().map(ModelDocument::value).toList());
      case Map<?, ?> map -> Value.of(encode(plain(map)));
      default -> throw new IllegalArgumentException("no value for " + plain);
    };
  }
}

package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.accumulator.Accumulators;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.CountRows;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.List;

/**
 * A field of a result, and how its value is gathered from the documents of a group.
 *
 * @param kind what is known about the gathering beyond its results
 */
public record GroupField(String field, Accumulation accumulation, Kind kind) {
  /** What an accumulator costs beside what it says it holds. */
  static final int ACCUMULATOR_BYTES = 48;

  /** What slack of a larger array is worth a copy. */
  private static final int SLACK_BYTES = 16;

  /** What a gathering does with the values it is given. */
  public enum Kind {
    /** Nothing: it counts documents. */
    COUNTS,
    /** It computes with them and lets them go. */
    COMPUTES,
    /** It may keep them. */
    KEEPS,
    /** It may keep them, and its result depends on their order. */
    KEEPS_IN_ORDER;

    /** Whether values may be kept. */
    boolean keeps() {
      return this == KEEPS || this == KEEPS_IN_ORDER;
    }
  }

  /** A field with the number of documents. */
  public static GroupField count(String field) {
    return new GroupField(field, Accumulation.of(Literal.NULL, Accumulators::count), Kind.COUNTS);
  }

  /**
   * Accumulators for another group.
   *
   * @param key of the group; missing when there is none
   */
  static Accumulator[] startAll(List<GroupField> gatherings, Value key, Scope scope) {
    Accumulator[] accumulators = new Accumulator[gatherings.size()];
    scope.root(key.isDocument() ? key.asDocument() : Document.EMPTY);
    for (int i = 0; i < accumulators.length; i++) {
      accumulators[i] = gatherings.get(i).accumulation().start(scope);
    }
    return accumulators;
  }

  /** Gives a document to all accumulators of its group; returns how much more they hold. */
  static long addAll(List<GroupField> gatherings, Accumulator[] accumulators, Scope scope) {
    long more = 0;
    for (int i = 0; i < accumulators.length; i++) {
      more += gatherings.get(i).add(accumulators[i], scope);
    }
    return more;
  }

  /** The fields of a document that it is gathered from. */
  RootFields reads() {
    return accumulation.input().reads();
  }

  /** Gives a document to one accumulator; returns how much more it holds. */
  long add(Accumulator accumulator, Scope scope) {
    Value value = accumulation.input().evaluate(scope);
    if (!kind.keeps()) {
      accumulator.add(value);
      return 0;
    }
    long before = accumulator.bytes();
    accumulator.add(compact(value));
    return Math.max(0, accumulator.bytes() - before);
  }

  /** The value in bytes of its own: a view would keep all of the document that it is part of. */
  static Value compact(Value value) {
    int length = value.length();
    if (value.buffer().length <= length + SLACK_BYTES) {
      return value;
    }
    byte[] own = Arrays.copyOfRange(value.buffer(), value.offset(), value.offset() + length);
    return Value.view(value.type(), own, 0);
  }

  /** Writes the fields of a group. */
  static void write(
      List<GroupField> gatherings, Accumulator[] accumulators, DocumentWriter writer) {
    for (int i = 0; i < accumulators.length; i++) {
      writer.put(gatherings.get(i).field(), accumulators[i].result());
    }
  }

  /** The result for so many documents, when all fields only count. */
  static Document counted(Value key, List<GroupField> gatherings, long number) {
    DocumentWriter writer = Document.writer().put("_id", key.isMissing() ? Value.NULL : key);
    gatherings.forEach(one -> writer.put(one.field(), CountRows.number(number)));
    return writer.build();
  }
}

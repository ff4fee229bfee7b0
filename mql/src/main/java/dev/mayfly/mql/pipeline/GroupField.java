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
 * Output field of a group, and its accumulator.
 *
 * @param kind how the accumulator treats its values
 */
public record GroupField(String field, Accumulation accumulation, Kind kind) {
  /** Memory of an accumulator besides its reported bytes. */
  static final int ACCUMULATOR_BYTES = 48;

  /** Minimum of unused bytes in a larger array that is worth a copy. */
  private static final int SLACK_BYTES = 16;

  /** How an accumulator treats its values. */
  public enum Kind {
    /** It ignores them: it counts documents. */
    COUNTS,
    /** It computes with them and does not keep them. */
    COMPUTES,
    /** It may keep them. */
    KEEPS,
    /** It may keep them, and its result depends on their order. */
    KEEPS_IN_ORDER;

    /** Returns whether values may be kept. */
    boolean keeps() {
      return this == KEEPS || this == KEEPS_IN_ORDER;
    }
  }

  /** Returns a field with the number of documents. */
  public static GroupField count(String field) {
    return new GroupField(field, Accumulation.of(Literal.NULL, Accumulators::count), Kind.COUNTS);
  }

  /**
   * Creates the accumulators of a new group.
   *
   * @param key of the group; missing if there is none
   */
  static Accumulator[] startAll(List<GroupField> gatherings, Value key, Scope scope) {
    Accumulator[] accumulators = new Accumulator[gatherings.size()];
    scope.root(key.isDocument() ? key.asDocument() : Document.EMPTY);
    for (int i = 0; i < accumulators.length; i++) {
      accumulators[i] = gatherings.get(i).accumulation().start(scope);
    }
    return accumulators;
  }

  /**
   * Adds a document to all accumulators of its group; returns by how many bytes they have grown.
   */
  static long addAll(List<GroupField> gatherings, Accumulator[] accumulators, Scope scope) {
    long more = 0;
    for (int i = 0; i < accumulators.length; i++) {
      more += gatherings.get(i).add(accumulators[i], scope);
    }
    return more;
  }

  /** Returns the fields of documents that the accumulator reads. */
  RootFields reads() {
    return accumulation.input().reads();
  }

  /** Adds a document to one accumulator; returns by how many bytes it has grown. */
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

  /** Copies a value out of its document: a view would keep the whole document in memory. */
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

  /** Returns the result for a number of documents if all fields only count. */
  static Document counted(Value key, List<GroupField> gatherings, long number) {
    DocumentWriter writer = Document.writer().put("_id", key.isMissing() ? Value.NULL : key);
    gatherings.forEach(one -> writer.put(one.field(), CountRows.number(number)));
    return writer.build();
  }
}

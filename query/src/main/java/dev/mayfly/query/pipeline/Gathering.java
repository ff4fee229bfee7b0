package dev.mayfly.query.pipeline;

import dev.mayfly.query.expression.Scope;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.function.Supplier;

/**
 * A field of a result, and what gathers its value from the documents of a group.
 *
 * @param start makes a gatherer for another group
 * @param counts whether the value is just the number of documents, as small an integer as holds it
 */
public record Gathering(String field, Supplier<Gatherer> start, boolean counts) {
  /** What an object costs beside what it keeps; for a gatherer and its parts. */
  static final int GATHERER_BYTES = 64;

  /** A field with what these gatherers make. */
  public static Gathering of(String field, Supplier<Gatherer> start) {
    return new Gathering(field, start, false);
  }

  /** A field with the number of documents. */
  public static Gathering count(String field) {
    return new Gathering(field, Count::new, true);
  }

  /** Gatherers for another group. */
  static Gatherer[] startAll(List<Gathering> gatherings) {
    Gatherer[] gatherers = new Gatherer[gatherings.size()];
    for (int i = 0; i < gatherers.length; i++) {
      gatherers[i] = gatherings.get(i).start().get();
    }
    return gatherers;
  }

  /** Gives a document to all gatherers of its group; returns how much more they keep. */
  static long addAll(Gatherer[] gatherers, Scope scope) {
    long more = 0;
    for (Gatherer gatherer : gatherers) {
      more += gatherer.add(scope);
    }
    return more;
  }

  /** Writes the fields of a group; nothing gathered is null, so that results look alike. */
  static void write(List<Gathering> gatherings, Gatherer[] gatherers, DocumentWriter writer) {
    for (int i = 0; i < gatherers.length; i++) {
      Value result = gatherers[i].result();
      writer.put(gatherings.get(i).field(), result.isMissing() ? Value.NULL : result);
    }
  }

  /** The result for so many documents, when all fields only count. */
  static Document counted(Value key, List<Gathering> gatherings, long number) {
    DocumentWriter writer = Document.writer().put("_id", key.isMissing() ? Value.NULL : key);
    gatherings.forEach(one -> writer.put(one.field(), Counted.number(number)));
    return writer.build();
  }

  /** The number of documents. */
  private static final class Count implements Gatherer {
    private long count;

    @Override
    public int add(Scope scope) {
      count++;
      return 0;
    }

    @Override
    public Value result() {
      return Counted.number(count);
    }
  }
}

package dev.mayfly.engine.model;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/** Documents with an id and a counter. */
public final class Counters {
  private Counters() {}

  public static Document counter(int id, int n) {
    return Document.writer().put("_id", id).put("n", n).build();
  }

  public static DocumentKey key(int id) {
    return DocumentKey.of(Value.of(id));
  }

  public static Write increment(int id) {
    return new Write.Update(key(id), before -> counter(id, before.field("n").asInt() + 1));
  }

  /** An update function that rejects the document. */
  public static Write broken(int id) {
    return new Write.Update(
        key(id),
        _ -> {
          throw new ArithmeticException("no such number");
        });
  }

  public static int number(LocalCollection counters, int id) {
    return counters.read(key(id)).orElseThrow().document().field("n").asInt();
  }
}

package dev.mayfly.engine;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/** Documents that count: an id and a number. */
final class Counters {
  private Counters() {}

  static Document counter(int id, int n) {
    return Document.writer().put("_id", id).put("n", n).build();
  }

  static DocumentKey key(int id) {
    return DocumentKey.of(Value.of(id));
  }

  static Write increment(int id) {
    return new Write.Update(key(id), before -> counter(id, before.field("n").asInt() + 1));
  }

  /** An update that fails for a reason of its own. */
  static Write broken(int id) {
    return new Write.Update(
        key(id),
        _ -> {
          throw new ArithmeticException("no such number");
        });
  }

  static int number(Collection counters, int id) {
    return counters.read(key(id)).orElseThrow().document().field("n").asInt();
  }
}

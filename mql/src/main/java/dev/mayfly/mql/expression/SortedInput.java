package dev.mayfly.mql.expression;

import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/** Pair of the sort key of the current document, as comparable bytes, and an output. */
public record SortedInput(List<Sort> keys, Collation collation, Expression output)
    implements Expression {
  public SortedInput {
    keys = List.copyOf(keys);
  }

  @Override
  public Value evaluate(Scope scope) {
    Value root = scope.root();
    Document document = root.isDocument() ? root.asDocument() : Document.EMPTY;
    byte[] key = new DocumentComparator(keys, Mode.MATCH, collation).key(document);
    Value value = output.evaluate(scope);
    return Value.array(
        List.of(Value.binary((byte) 0, key), value.isMissing() ? Value.NULL : value));
  }
}

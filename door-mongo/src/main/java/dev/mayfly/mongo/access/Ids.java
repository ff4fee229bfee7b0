package dev.mayfly.mongo.access;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/** What a query or a document says of an id. */
public final class Ids {
  private static final FieldPath ID = FieldPath.of("_id");
  private static final byte[] NAME = {'_', 'i', 'd'};

  private Ids() {}

  public static DocumentKey key(Document document) {
    return DocumentKey.of(document.field(NAME));
  }

  /** The id when a query asks for it and for nothing else. */
  public static Optional<Value> only(Query query) {
    return query.skip() == 0 && query.limit() > 0 ? only(query.filter()) : Optional.empty();
  }

  /** The id when a filter asks for it and for nothing else. */
  public static Optional<Value> only(Filter filter) {
    return filter instanceof Filter.Compare(FieldPath path, Operator operator, Value value)
            && operator == Operator.EQ
            && exact(value.type())
            && path.equals(ID)
        ? Optional.of(value)
        : Optional.empty();
  }

  /** Whether equality with such a value means one id and no other. */
  private static boolean exact(Type type) {
    return switch (type) {
      case NULL, MISSING, UNDEFINED, ARRAY, REGEX -> false;
      case Type _ -> true;
    };
  }

  /** The query asked about one document alone. */
  public static Query narrowed(Query query, Document document) {
    Filter one = Filter.equal(ID, document.field(NAME));
    return Query.of(Filter.and(List.of(one, query.filter())), query.mode());
  }
}

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

/** The {@code _id} of documents, and of queries that select by it. */
public final class Ids {
  private static final FieldPath ID = FieldPath.of("_id");
  private static final byte[] NAME = {'_', 'i', 'd'};

  private Ids() {}

  public static DocumentKey key(Document document) {
    return DocumentKey.of(document.field(NAME));
  }

  /** The id if a query selects by {@code _id} alone, without skip. */
  public static Optional<Value> only(Query query) {
    return query.skip() == 0 && query.limit() > 0 ? only(query.filter()) : Optional.empty();
  }

  /** The id if a filter is an equality on {@code _id} and nothing else. */
  public static Optional<Value> only(Filter filter) {
    return filter instanceof Filter.Compare(FieldPath path, Operator operator, Value value)
            && operator == Operator.EQ
            && exact(value.type())
            && path.equals(ID)
        ? Optional.of(value)
        : Optional.empty();
  }

  /** Whether equality with a value of this type matches only the document with that id. */
  private static boolean exact(Type type) {
    return switch (type) {
      case NULL, MISSING, UNDEFINED, ARRAY, REGEX -> false;
      case Type _ -> true;
    };
  }

  /** A query limited to one document: matches it only if it still matches the filter. */
  public static Query narrowed(Query query, Document document) {
    Filter one = Filter.equal(ID, document.field(NAME));
    return Query.of(Filter.and(List.of(one, query.filter())), query.mode());
  }
}

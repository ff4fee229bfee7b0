package dev.mayfly.mongo.access;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/** The live documents of one collection, read and written by one operation. */
public interface CollectionOperations {
  Namespace namespace();

  CollectionSpec spec();

  /** What documents have to be like. */
  Validator validator();

  /** The document of that id. */
  Optional<Document> read(Value id);

  /** The documents that a query asks for; to be closed. */
  FoundRows query(Query query);

  /** The documents of a capped collection that a query asks for, as they arrive. */
  Tail tail(Query query);

  /** How {@link #query} would find its documents. */
  Explanation explain(Query query);

  /** True when the documents of a query are found in its order. */
  default boolean ordered(Query query) {
    return !explain(query).sorts();
  }

  /** How many documents {@link #query} would give. */
  long count(Query query);

  /** What a statement has done already, when its command was sent before. */
  Optional<WriteOutcome.Repeated> done(Statement statement);

  /** Does several writes and says what became of each. */
  List<WriteOutcome> write(List<Write> writes, Grouping grouping, Statement statement);

  /** Does one write and says what became of it. */
  default WriteOutcome write(Write write, Statement statement) {
    return write(List.of(write), Grouping.ATOMIC, statement).getFirst();
  }
}

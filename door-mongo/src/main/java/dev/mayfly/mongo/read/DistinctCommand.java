package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.RequestCollation;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.ReadConcern;
import dev.mayfly.mongo.command.ReplyMemory;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Distinctness;
import dev.mayfly.query.Query;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** {@code distinct}: the distinct values of a field; each element of an array counts as a value. */
public final class DistinctCommand implements Command {
  private static final Set<String> FIELDS = Set.of("key", "query", "collation", "hint");
  private static final int MAX_BYTES = 16 << 20;

  private final CollectionAccess access;
  private final Pipelines pipelines;

  public DistinctCommand(CollectionAccess access, Pipelines pipelines) {
    this.access = access;
    this.pipelines = pipelines;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (!request.has("key")) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD, "BSON field 'distinct.key' is missing but a required field");
    }
    if (request.text("key", "").indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.location(31032), "Key field cannot contain an embedded null byte");
    }
    FieldPath path = FieldPath.of(request.text("key", ""));
    Optional<CollectionOperations> documents =
        access.isView(request.namespace())
            ? Optional.empty()
            : access.existing(request, request.namespace());
    Collation collation = access.collation(request, request.namespace());
    reply.startArray("values");
    try (Rows rows = rows(request, documents);
        Collector collector = new Collector(request, collation, reply)) {
      PathValues values = new PathValues(path, collector);
      while (rows.next()) {
        values.document(rows.current());
        request.check();
      }
    }
    reply.end();
    ReadConcern.report(request, reply);
  }

  private Rows rows(Request request, Optional<CollectionOperations> documents) {
    if (access.isView(request.namespace())) {
      return pipelines.rows(request, ViewStages.target(request), ViewStages.of(request));
    }
    if (documents.isEmpty()) {
      Queries.check(request.document("query"), Document.EMPTY, Variables.none(request.now()));
      return Rows.none();
    }
    return documents.get().query(query(request, documents.get()));
  }

  /** The query of a request. */
  static Query query(Request request, CollectionOperations documents) {
    FieldPath path = FieldPath.of(request.text("key", ""));
    Collation collation = RequestCollation.of(request.document("collation"), documents.spec());
    return Queries.of(request, "query", documents)
        .wanting(RootFields.of(path))
        .needing(new Distinctness.OneForEach(path, collation));
  }

  /** Writes each value to the reply once. */
  private static final class Collector implements Consumer<Value>, AutoCloseable {
    /** Approximate memory of an entry of the set, in addition to its bytes. */
    private static final int ENTRY = 112;

    private final Request request;
    private final QueryMemory.Holding memory = QueryMemory.PROCESS.holding(Long.MAX_VALUE);
    private final Collation collation;
    private final DocumentWriter reply;
    private final KeyWriter key = new KeyWriter();
    private final Set<ByteBuffer> seen = new HashSet<>();
    private long seenBytes;
    private long bytes;

    Collector(Request request, Collation collation, DocumentWriter reply) {
      this.request = request;
      this.collation = collation;
      this.reply = reply;
    }

    @Override
    public void accept(Value value) {
      byte[] folded = key.clear().append(collation.fold(value), Order.MONGO).bytes();
      if (seen.add(ByteBuffer.wrap(folded))) {
        hold(ENTRY + folded.length);
        bytes += value.length() + 8L;
        if (bytes > MAX_BYTES) {
          throw new CommandException(ErrorCode.location(17217), "distinct too big, 16mb cap");
        }
        ReplyMemory.awaitGrowing(request, bytes);
        reply.add(value);
      }
    }

    private void hold(long more) {
      seenBytes += more;
      if (!memory.hold(seenBytes)) {
        throw new CommandException(
            ErrorCode.EXCEEDED_MEMORY_LIMIT_TOTAL,
            "distinct has too many values: the memory for queries is used up");
      }
    }

    @Override
    public void close() {
      memory.close();
    }
  }
}

package dev.mayfly.admin;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Admin API for export and import of documents, in batches. */
final class DocumentTransfer {
  private static final int BATCH_BYTES = 1 << 20;

  private final Engine engine;

  DocumentTransfer(Engine engine) {
    this.engine = engine;
  }

  /**
   * Returns the next batch, of about 1 MiB. {@code after} in the request is the {@code after} of
   * the previous reply; it is missing in the first request. The last reply has no {@code after}.
   */
  Document export(List<String> names, Document body) {
    Collection collection = engine.collection(namespace(names));
    Query all = Query.of(Filter.all(), collection.spec().dialect().mode()).withoutTouch();
    Value after = body.field("after");
    DocumentWriter reply = Document.writer().startArray("documents");
    try (Cursor cursor =
        after.isMissing()
            ? collection.query(all)
            : collection.resume(all, Base64.getDecoder().decode(after.asString()))) {
      int bytes = 0;
      boolean more = cursor.next();
      while (more && bytes < BATCH_BYTES) {
        reply.add(Value.of(cursor.document()));
        bytes += cursor.document().length();
        if (bytes < BATCH_BYTES) {
          more = cursor.next();
        }
      }
      reply.end();
      if (more) {
        reply.put("after", Base64.getEncoder().encodeToString(cursor.place()));
      }
    }
    return reply.build();
  }

  /**
   * Writes documents. Existing documents are replaced if {@code replace} is true, otherwise counted
   * as refused. Creates the collection if it does not exist.
   */
  Document load(List<String> names, Document body) {
    Collection collection = target(namespace(names));
    boolean replace = !body.field("replace").isMissing() && body.field("replace").asBoolean();
    List<Write> writes = new ArrayList<>();
    Fields documents = body.field("documents").asDocument().fields();
    while (documents.next()) {
      Document document = documents.value().asDocument();
      writes.add(replace ? new Write.Upsert(document) : new Write.Insert(document));
    }
    return summary(collection.write(writes, Grouping.UNORDERED, Durability.SYNCED).outcomes());
  }

  private Collection target(Namespace namespace) {
    return engine.find(namespace).orElseGet(() -> create(namespace));
  }

  /** Containers are not created: their partition key is unknown here. */
  private Collection create(Namespace namespace) {
    if (namespace.database().startsWith("cosmos:")) {
      throw AdminException.missing(
          "There is no container " + namespace + ": create it first, with its partition key.");
    }
    return engine.create(namespace, CollectionSpec.mongo());
  }

  private static Document summary(List<WriteOutcome> outcomes) {
    long written = 0;
    List<String> refused = new ArrayList<>();
    for (WriteOutcome outcome : outcomes) {
      if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
        refused.add(failure.reason() + ": " + failure.getMessage());
      } else {
        written++;
      }
    }
    DocumentWriter reply = Document.writer().put("written", written).put("refused", refused.size());
    if (!refused.isEmpty()) {
      reply.put("firstRefusal", refused.getFirst());
    }
    return reply.build();
  }

  private static Namespace namespace(List<String> names) {
    return new Namespace(names.getFirst(), names.getLast());
  }
}

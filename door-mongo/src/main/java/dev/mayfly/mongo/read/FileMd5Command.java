package dev.mayfly.mongo.read;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Md5;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;
import java.util.Set;

/** {@code filemd5}: the MD5 digest of a GridFS file, by which old drivers verify uploads. */
public final class FileMd5Command implements Command {
  private static final Set<String> FIELDS = Set.of("root");
  private static final Document ORDER = Document.writer().put("files_id", 1).put("n", 1).build();

  private final CollectionAccess access;

  public FileMd5Command(CollectionAccess access) {
    this.access = access;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Namespace namespace = Names.namespace(request.database(), Names.chunks(request));
    Optional<CollectionOperations> documents = access.existing(request, namespace);
    Md5 digest = new Md5();
    int chunks = documents.isEmpty() ? 0 : digest(request, documents.get(), digest);
    reply.put("numChunks", chunks).put("md5", digest.hex());
  }

  private int digest(Request request, CollectionOperations documents, Md5 digest) {
    Document filter = Document.writer().put("files_id", request.target()).build();
    Query query =
        Queries.of(
            filter, ORDER, Document.EMPTY, Value.MISSING, documents, Variables.none(request.now()));
    int chunks = 0;
    try (Rows rows = documents.query(query)) {
      while (rows.next()) {
        Value number = rows.current().field("n");
        if (!number.isNumber() || number.asDouble() != chunks) {
          throw new CommandException(ErrorCode.location(10040), "chunks out of order");
        }
        byte[] data = data(rows.current());
        digest.add(data, 0, data.length);
        chunks++;
        request.check();
      }
    }
    return chunks;
  }

  private static byte[] data(Document chunk) {
    Value data = chunk.field("data");
    if (data.type() != Type.BINARY) {
      throw new CommandException(
          ErrorCode.location(50849), "The data of a chunk must be of type binData");
    }
    return data.asBinary();
  }
}

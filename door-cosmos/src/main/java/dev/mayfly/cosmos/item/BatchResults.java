package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.hybridrow.RecordIo;
import dev.mayfly.cosmos.hybridrow.ResultRow;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Results of the operations of a batch, in order. For one thread. */
final class BatchResults {
  private static final int ALL_DONE = 200;
  private static final int SOME_FAILED = 207;
  private static final String BINARY = "application/octet-stream";

  private final Container container;
  private final List<Document> results = new ArrayList<>();
  private boolean failed;

  BatchResults(Container container) {
    this.container = container;
  }

  /** Whether an operation has failed. */
  boolean failed() {
    return failed;
  }

  void done(ItemOperation.Done done, double charge, boolean minimal) {
    DocumentWriter result = begin(done.status(), 0, charge);
    if (done.stored().isPresent()) {
      StoredDocument stored = done.stored().get();
      result.put("eTag", Etag.of(stored.version()));
      if (!minimal && done.status() != ItemOperation.Done.NOT_MODIFIED) {
        result.put("resourceBody", ItemForm.of(container, stored));
      }
    }
    results.add(result.build());
  }

  void refused(CosmosException error, double charge) {
    failed = true;
    DocumentWriter result = begin(error.status().number(), error.substatus(), charge);
    if (error.status() == Status.TOO_MANY_REQUESTS) {
      result.put("retryAfterMilliseconds", error.retryAfterMillis());
    }
    results.add(result.put("message", error.text()).build());
  }

  /** Adds the result of an operation that was not run because another one failed. */
  void dependent() {
    results.add(begin(Status.FAILED_DEPENDENCY.number(), 0, 0).build());
  }

  private static DocumentWriter begin(int status, int substatus, double charge) {
    DocumentWriter result = Document.writer().put("statusCode", status);
    if (substatus != 0) {
      result.put("subStatusCode", substatus);
    }
    return result.put("requestCharge", charge);
  }

  /**
   * Returns the reply.
   *
   * @param binary whether to use HybridRow, as the batch did
   */
  Reply reply(boolean binary) {
    Reply reply = new Reply(failed ? SOME_FAILED : ALL_DONE);
    if (binary) {
      List<byte[]> rows = results.stream().map(ResultRow::write).toList();
      return reply.body(RecordIo.write(rows), BINARY);
    }
    String json = Json.write(Value.array(results.stream().map(Value::of).toList()));
    return reply.body(json.getBytes(StandardCharsets.UTF_8));
  }
}

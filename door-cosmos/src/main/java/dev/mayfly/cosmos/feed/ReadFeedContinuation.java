package dev.mayfly.cosmos.feed;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Continuation token of a read feed: the key of the last item. */
final class ReadFeedContinuation {
  private static final String ID = "id";
  private static final String KEY = "pk";

  private ReadFeedContinuation() {}

  static String of(DocumentKey key) {
    DocumentWriter writer = Document.writer().put(ID, key.id()).startArray(KEY);
    for (Value value : key.partition()) {
      // clients also write an undefined value as an empty object
      writer.add(value.isMissing() ? Value.of(Document.EMPTY) : value);
    }
    byte[] json = Json.bytes(writer.end().build());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
  }

  /**
   * Parses a token.
   *
   * @throws CosmosException 400 if it is malformed
   */
  static DocumentKey parse(String text) {
    try {
      Document form = Json.parse(Base64.getUrlDecoder().decode(text), Limits.COSMOS);
      List<Value> partition = new ArrayList<>();
      Fields elements = form.field(KEY).asDocument().fields();
      while (elements.next()) {
        partition.add(elements.type() == Type.OBJECT ? Value.MISSING : elements.value());
      }
      return new DocumentKey(partition, Value.of(form.field(ID).asString()));
    } catch (IllegalArgumentException | ValueException invalid) {
      throw new CosmosException(
          Status.BAD_REQUEST, CosmosException.errors("Invalid Continuation Token"));
    }
  }
}

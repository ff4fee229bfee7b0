package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.nio.charset.StandardCharsets;

/** Parses and validates items that clients send, and removes system properties. */
final class ItemBody {
  /** Maximum size of an item and of a request. */
  static final int MAX_BYTES = 2 << 20;

  private static final int MAX_ID_BYTES = 1023;
  private static final String ID = "id";

  private ItemBody() {}

  /**
   * Parses the item in a body.
   *
   * @throws CosmosException 400 or 413
   */
  static Document parse(byte[] body) {
    if (body.length > MAX_BYTES) {
      throw tooLarge();
    }
    return checked(Json.parse(body, Limits.COSMOS));
  }

  /**
   * Returns the item after checking its size and depth, which a patch may have increased.
   *
   * @throws ValueException TOO_DEEP
   * @throws CosmosException 413
   */
  static Document limited(Document item) {
    if (item.length() > MAX_BYTES && Json.bytes(item).length > MAX_BYTES) {
      throw tooLarge();
    }
    return Document.of(item.bytes(), Limits.COSMOS);
  }

  static CosmosException tooLarge() {
    return new CosmosException(
        Status.TOO_LARGE, CosmosException.errors("Request size is too large"));
  }

  /**
   * Returns the item as it is stored.
   *
   * @throws CosmosException 400
   */
  static Document checked(Document item) {
    checkId(item.field(ID));
    return hasSystem(item) ? stripped(item) : item;
  }

  private static void checkId(Value id) {
    if (id.isMissing()) {
      throw CosmosException.wrong(
          "The input content is invalid because the required properties - 'id; ' - are missing");
    }
    if (id.type() != Type.STRING) {
      throw CosmosException.wrong(
          "The input content is invalid because the property - 'id' - is not a string");
    }
    String text = id.asString();
    if (text.isEmpty() || text.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES) {
      throw CosmosException.wrong(
          "The input name '"
              + text
              + "' is invalid. Ensure to provide a unique non-empty string less than '1024'"
              + " characters.");
    }
  }

  private static boolean hasSystem(Document item) {
    Fields fields = item.fields();
    while (fields.next()) {
      if (fields.buffer()[fields.nameOffset()] == '_' && ItemForm.system(fields.name())) {
        return true;
      }
    }
    return false;
  }

  private static Document stripped(Document item) {
    DocumentWriter writer = Document.writer();
    Fields fields = item.fields();
    while (fields.next()) {
      if (!ItemForm.system(fields.name())) {
        writer.put(fields);
      }
    }
    return writer.build();
  }
}

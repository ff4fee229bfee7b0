package dev.mayfly.cosmos.hybridrow;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;

/**
 * Converts an operation of a batch from a row to JSON.
 *
 * <p>Fields of the schema by position: operationType, resourceType (both fixed size); partitionKey,
 * effectivePartitionKey, id, binaryId, resourceBody (all variable size); sparse fields by number: 8
 * indexingDirective, 9 ifMatch, 10 ifNoneMatch, 11 timeToLiveInSeconds, 12 minimalReturnPreference.
 */
public final class OperationRow {
  private static final int BINARY_JSON = 0x80;
  private static final int IF_MATCH = 9;
  private static final int IF_NONE_MATCH = 10;
  private static final int TIME_TO_LIVE = 11;
  private static final int MINIMAL = 12;

  /** From this number on, the field name follows as text; the number is this plus its length. */
  private static final int UNKNOWN = 13;

  private final RowInput input;
  private final DocumentWriter form = Document.writer();

  private OperationRow(byte[] row) {
    this.input = new RowInput(row);
  }

  /**
   * Parses a row.
   *
   * @throws CosmosException 400
   */
  public static Document read(byte[] row) {
    OperationRow operation = new OperationRow(row);
    operation.input.header(Rows.OPERATION);
    operation.readSchema();
    while (!operation.input.atEnd()) {
      operation.readField();
    }
    return operation.form.build();
  }

  private void readSchema() {
    int present = input.octet();
    int type = input.integer();
    // ignores the resource type: the address determines it
    input.integer();
    if (has(present, 0)) {
      form.put("operationType", word(type));
    }
    if (has(present, 2)) {
      form.put("partitionKey", input.text());
    }
    if (has(present, 3)) {
      input.binary();
    }
    if (has(present, 4)) {
      form.put("id", input.text());
    }
    if (has(present, 5)) {
      input.binary();
    }
    if (has(present, 6)) {
      readBody(input.binary());
    }
  }

  private static boolean has(int present, int field) {
    return (present >> field & 1) == 1;
  }

  private static String word(int type) {
    return switch (type) {
      case 0 -> "Create";
      case 1 -> "Patch";
      case 2 -> "Read";
      case 4 -> "Delete";
      case 5 -> "Replace";
      case 20 -> "Upsert";
      default -> Integer.toString(type);
    };
  }

  private void readBody(byte[] json) {
    if (json.length > 0 && Byte.toUnsignedInt(json[0]) == BINARY_JSON) {
      throw CosmosException.wrong("Items in binary JSON are not supported: send them as text.");
    }
    form.put("resourceBody", Json.parseValue(json, Limits.COSMOS));
  }

  private void readField() {
    int type = input.octet();
    int name = input.length();
    if (name >= UNKNOWN) {
      input.take(name - UNKNOWN);
    }
    switch (name) {
      case IF_MATCH -> form.put("ifMatch", text(type));
      case IF_NONE_MATCH -> form.put("ifNoneMatch", text(type));
      case MINIMAL -> form.put("minimalReturnPreference", bool(type));
      case TIME_TO_LIVE ->
          throw CosmosException.wrong(
              "timeToLiveInSeconds is not supported: set 'ttl' in the item.");
      default -> skip(type);
    }
  }

  private String text(int type) {
    if (type != Rows.UTF8) {
      throw RowInput.malformed("a string field has another type");
    }
    return input.text();
  }

  private static boolean bool(int type) {
    return switch (type) {
      case Rows.TRUE -> true;
      case Rows.FALSE -> false;
      default -> throw RowInput.malformed("a boolean field has another type");
    };
  }

  private void skip(int type) {
    switch (type) {
      case Rows.NULL, Rows.FALSE, Rows.TRUE -> {
        // the type contains the value
      }
      case Rows.INT32, Rows.UINT32 -> input.take(Integer.BYTES);
      case Rows.FLOAT64 -> input.take(Double.BYTES);
      case Rows.UTF8, Rows.BINARY -> input.binary();
      default -> throw RowInput.malformed("a field has an unknown type");
    }
  }
}

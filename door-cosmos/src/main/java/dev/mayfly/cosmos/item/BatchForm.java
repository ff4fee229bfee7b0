package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.hybridrow.OperationRow;
import dev.mayfly.cosmos.hybridrow.RecordIo;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Write;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses the operations of a batch: a JSON array with an object for each, or HybridRow rows. */
final class BatchForm {
  private static final int MAX_OPERATIONS = 100;

  /** Types of operations. */
  private enum Kind {
    CREATE,
    UPSERT,
    REPLACE,
    PATCH,
    READ,
    DELETE;

    /**
     * Returns the kind of an operation.
     *
     * @throws CosmosException 400
     */
    static Kind of(Document form) {
      String word = text(form, "operationType");
      for (Kind kind : values()) {
        if (kind.name().equalsIgnoreCase(word)) {
          return kind;
        }
      }
      throw CosmosException.wrong("The operation '" + word + "' is unknown.");
    }
  }

  /** Bodies are nested two levels deep. */
  private static final Limits LIMITS =
      new Limits(Limits.COSMOS.maxBytes(), Limits.COSMOS.maxDepth() + 2);

  private final Container container;
  private final Optional<List<Value>> partition;
  private final long now;

  /**
   * @param partition partition key of operations that do not contain one
   */
  BatchForm(Container container, Optional<List<Value>> partition, long now) {
    this.container = container;
    this.partition = partition;
    this.now = now;
  }

  /**
   * Splits a body into its operations. An operation of unknown type fails the batch.
   *
   * @throws CosmosException 400 or 413
   */
  static List<Document> split(byte[] body) {
    if (body.length > ItemBody.MAX_BYTES) {
      throw ItemBody.tooLarge();
    }
    List<Document> operations = RecordIo.is(body) ? rows(body) : objects(body);
    if (operations.isEmpty()) {
      throw CosmosException.wrong("Batch request does not have any operations.");
    }
    if (operations.size() > MAX_OPERATIONS) {
      throw CosmosException.wrong("Batch request has more operations than what is supported.");
    }
    operations.forEach(Kind::of);
    return operations;
  }

  private static List<Document> rows(byte[] body) {
    return RecordIo.read(body, MAX_OPERATIONS).stream().map(OperationRow::read).toList();
  }

  private static List<Document> objects(byte[] body) {
    if (body.length == 0 || body[0] != '[') {
      throw CosmosException.wrong("A batch must be a JSON array of operations, or HybridRow.");
    }
    List<Document> operations = new ArrayList<>();
    Fields elements = Json.parseValue(body, LIMITS).asDocument().fields();
    while (elements.next()) {
      operations.add(
          elements.type() == Type.OBJECT ? elements.value().asDocument() : Document.EMPTY);
    }
    return operations;
  }

  /** Whether the result of an operation should not contain the item. */
  static boolean minimal(Document form) {
    Value preference = form.field("minimalReturnPreference");
    return preference.type() == Type.BOOLEAN && preference.asBoolean();
  }

  /**
   * Parses one operation.
   *
   * @throws CosmosException 400
   */
  ItemOperation operation(Document form) {
    return switch (Kind.of(form)) {
      case CREATE -> new ItemOperation.Create(item(form));
      case UPSERT -> new ItemOperation.Upsert(item(form), requiredVersion(form));
      case REPLACE -> ItemOperation.replace(key(form), item(form), requiredVersion(form));
      case PATCH -> {
        Patch patch = Patch.parse(form.field("resourceBody"), container, now);
        yield new ItemOperation.Change(key(form), patch, requiredVersion(form));
      }
      case READ -> new ItemOperation.Read(key(form), version(form.field("ifNoneMatch"), Etag.NONE));
      case DELETE -> new ItemOperation.Delete(key(form), requiredVersion(form));
    };
  }

  private Document item(Document form) {
    Value body = form.field("resourceBody");
    if (!body.isDocument()) {
      throw CosmosException.wrong("The operation has no 'resourceBody'.");
    }
    // copies the item, so that it does not retain the whole request
    Document item = ItemBody.checked(Document.trusted(body.asDocument().bytes()));
    PartitionKeys.check(container, item, partition(form));
    return item;
  }

  private DocumentKey key(Document form) {
    return new DocumentKey(partition(form), Value.of(text(form, "id")));
  }

  private List<Value> partition(Document form) {
    Value own = form.field("partitionKey");
    if (own.type() == Type.STRING) {
      return within(PartitionKeys.parseComplete(own.asString(), container));
    }
    if (container.partitionKey().system()) {
      return List.of();
    }
    return partition.orElseThrow(BatchForm::missingKey);
  }

  /**
   * Checks that the request has a partition key for all operations.
   *
   * @throws CosmosException 400
   */
  void checkOneKey() {
    if (partition.isEmpty() && !container.partitionKey().system()) {
      throw missingKey();
    }
  }

  private static CosmosException missingKey() {
    return new CosmosException(
        Status.BAD_REQUEST, "PartitionKey value must be supplied for this operation.");
  }

  /** An operation must be within the partition key of the request. */
  private List<Value> within(List<Value> own) {
    List<Value> limit = partition.orElse(List.of());
    for (int i = 0; i < Math.min(own.size(), limit.size()); i++) {
      if (!PartitionKeys.same(own.get(i), limit.get(i))) {
        throw PartitionKeys.mismatch();
      }
    }
    return own;
  }

  private static long requiredVersion(Document form) {
    return version(form.field("ifMatch"), Write.ANY_VERSION);
  }

  private static long version(Value etag, long standard) {
    return etag.type() == Type.STRING ? Items.version(etag.asString(), standard) : standard;
  }

  private static String text(Document form, String name) {
    Value value = form.field(name);
    if (value.type() != Type.STRING || value.asString().isEmpty()) {
      throw CosmosException.wrong("The operation has no '" + name + "'.");
    }
    return value.asString();
  }
}

package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.client.MongoClient;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Common operations of the Java SDK for Azure Cosmos DB, on a test clock. */
final class CosmosSdkTest {
  private static final int NOT_FOUND = 404;

  @AutoClose private static final ServerProcess SERVER = ServerProcess.inMemory("--test-clock");
  @AutoClose private static final MongoClient CLOCK = SERVER.client();
  @AutoClose private static final CosmosClient CLIENT = SERVER.cosmosClientBuilder().buildClient();

  private CosmosDatabase database = CLIENT.getDatabase("none");

  @BeforeEach
  void createDatabase() {
    String id = "db-" + UUID.randomUUID();
    CLIENT.createDatabase(id);
    database = CLIENT.getDatabase(id);
  }

  @AfterEach
  void deleteDatabase() {
    database.delete();
  }

  private CosmosContainer container(String id) {
    database.createContainer(new CosmosContainerProperties(id, "/customerId"));
    return database.getContainer(id);
  }

  private static ObjectNode item(String id, String customer) {
    return JsonNodeFactory.instance.objectNode().put("id", id).put("customerId", customer);
  }

  private static void advance(int seconds) {
    ServerProcess.advance(CLOCK, seconds * 1000L);
  }

  private static <T> List<T> all(CosmosContainer container, String sql, Class<T> type) {
    return container.queryItems(sql, new CosmosQueryRequestOptions(), type).stream().toList();
  }

  private static void assertFails(int status, Runnable operation) {
    assertThatThrownBy(operation::run)
        .isInstanceOfSatisfying(
            CosmosException.class,
            refusal ->
                assertThat(refusal.getStatusCode()).as(refusal.getMessage()).isEqualTo(status));
  }

  @Test
  void itemsAreCreatedReadReplacedPatchedAndDeleted() {
    CosmosContainer orders = container("orders");
    PartitionKey key = new PartitionKey("c");
    CosmosItemResponse<ObjectNode> created = orders.createItem(item("1", "c").put("total", 5));
    assertThat(created.getStatusCode()).isEqualTo(201);
    assertThat(created.getRequestCharge()).isPositive();
    assertFails(409, () -> orders.createItem(item("1", "c")));

    CosmosItemResponse<ObjectNode> read = orders.readItem("1", key, ObjectNode.class);
    assertThat(read.getItem().fieldNames())
        .toIterable()
        .contains("_rid", "_self", "_etag", "_ts", "_attachments");
    CosmosItemRequestOptions unchanged =
        new CosmosItemRequestOptions().setIfNoneMatchETag(read.getETag());
    assertThat(orders.readItem("1", key, unchanged, ObjectNode.class).getStatusCode())
        .isEqualTo(304);

    orders.replaceItem(read.getItem().put("total", 7), "1", key, new CosmosItemRequestOptions());
    CosmosItemRequestOptions stale = new CosmosItemRequestOptions().setIfMatchETag(read.getETag());
    assertFails(412, () -> orders.replaceItem(item("1", "c"), "1", key, stale));

    CosmosPatchOperations wrong = CosmosPatchOperations.create().remove("/nowhere");
    assertFails(400, () -> orders.patchItem("1", key, wrong, ObjectNode.class));
    CosmosPatchOperations right =
        CosmosPatchOperations.create().increment("/total", 3).add("/lines", List.of("a"));
    CosmosPatchItemRequestOptions shown = new CosmosPatchItemRequestOptions();
    shown.setContentResponseOnWriteEnabled(true);
    assertThat(
            orders
                .patchItem("1", key, right, shown, ObjectNode.class)
                .getItem()
                .get("total")
                .asInt())
        .isEqualTo(10);
    assertFails(
        412,
        () ->
            orders.patchItem(
                "1",
                key,
                right,
                new CosmosPatchItemRequestOptions()
                    .setFilterPredicate("from c where c.total > 100"),
                ObjectNode.class));

    assertThat(orders.upsertItem(item("2", "c")).getStatusCode()).isEqualTo(201);
    assertThat(orders.upsertItem(item("2", "c").put("n", 1)).getStatusCode()).isEqualTo(200);
    assertThat(orders.deleteItem("2", key, new CosmosItemRequestOptions()).getStatusCode())
        .isEqualTo(204);
    assertFails(NOT_FOUND, () -> orders.readItem("2", key, ObjectNode.class));
  }

  @Test
  void queriesFilterOrderGroupAndPage() {
    CosmosContainer people = container("people");
    IntStream.range(0, 30)
        .forEach(i -> people.createItem(item("p" + i, "c" + i % 3).put("age", i)));
    assertThat(all(people, "SELECT VALUE COUNT(1) FROM c", Integer.class)).containsExactly(30);
    assertThat(
            all(
                people,
                "SELECT VALUE c.age FROM c WHERE c.age > 26 ORDER BY c.age DESC",
                Integer.class))
        .containsExactly(29, 28, 27);
    SqlQuerySpec spec =
        new SqlQuerySpec(
            "SELECT c.customerId, AVG(c.age) AS mean FROM c WHERE c.age < @n GROUP BY c.customerId",
            new SqlParameter("@n", 6));
    assertThat(people.queryItems(spec, new CosmosQueryRequestOptions(), JsonNode.class).stream())
        .extracting(row -> row.get("mean").asDouble())
        .containsExactlyInAnyOrder(1.5, 2.5, 3.5);
    assertThat(all(people, "SELECT DISTINCT VALUE c.customerId FROM c", String.class))
        .containsExactlyInAnyOrder("c0", "c1", "c2");
    assertThat(
            all(people, "SELECT VALUE c.age FROM c ORDER BY c.age OFFSET 3 LIMIT 2", Integer.class))
        .containsExactly(3, 4);
    CosmosQueryRequestOptions one =
        new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey("c1"));
    assertThat(people.queryItems("SELECT * FROM c", one, ObjectNode.class).stream()).hasSize(10);

    List<Integer> ages = new ArrayList<>();
    String token = null;
    do {
      FeedResponse<Integer> page =
          people
              .queryItems(
                  "SELECT VALUE c.age FROM c ORDER BY c.age",
                  new CosmosQueryRequestOptions(),
                  Integer.class)
              .iterableByPage(token, 7)
              .iterator()
              .next();
      ages.addAll(page.getResults());
      token = page.getContinuationToken();
    } while (token != null);
    assertThat(ages).isEqualTo(IntStream.range(0, 30).boxed().toList());
    assertFails(400, () -> all(people, "SELECT * FORM c", ObjectNode.class));
  }

  @Test
  void readManyAndReadAllItemsReturnItems() {
    CosmosContainer many = container("many");
    List<CosmosItemIdentity> identities =
        IntStream.range(0, 10)
            .mapToObj(
                i -> {
                  many.createItem(item("i" + i, "c" + i % 2));
                  return new CosmosItemIdentity(new PartitionKey("c" + i % 2), "i" + i);
                })
            .toList();
    assertThat(many.readMany(identities, ObjectNode.class).getResults()).hasSize(10);
    assertThat(many.readAllItems(new PartitionKey("c1"), ObjectNode.class).stream()).hasSize(5);
  }

  @Test
  void transactionalBatchIsAtomic() {
    CosmosContainer batches = container("batches");
    CosmosBatch good = CosmosBatch.createCosmosBatch(new PartitionKey("c"));
    good.createItemOperation(item("a", "c"));
    good.upsertItemOperation(item("b", "c"));
    good.readItemOperation("a");
    assertThat(batches.executeCosmosBatch(good).isSuccessStatusCode()).isTrue();
    CosmosBatch bad = CosmosBatch.createCosmosBatch(new PartitionKey("c"));
    bad.deleteItemOperation("a");
    bad.createItemOperation(item("b", "c"));
    CosmosBatchResponse refused = batches.executeCosmosBatch(bad);
    assertThat(refused.getResults())
        .extracting(result -> result.getStatusCode())
        .containsExactly(424, 409);
    assertThat(batches.readItem("a", new PartitionKey("c"), ObjectNode.class).getStatusCode())
        .isEqualTo(200);
  }

  @Test
  void bulkOperationsFailIndividually() {
    CosmosContainer bulk = container("bulk");
    List<Integer> statuses = new ArrayList<>();
    bulk.executeBulkOperations(
            Stream.of("a", "b", "a")
                .map(
                    id ->
                        CosmosBulkOperations.getCreateItemOperation(
                            item(id, "c"), new PartitionKey("c")))
                .toList())
        .forEach(response -> statuses.add(response.getResponse().getStatusCode()));
    assertThat(statuses).containsExactlyInAnyOrder(201, 201, 409);
  }

  @Test
  void hierarchicalPartitionKeysWork() {
    PartitionKeyDefinition levels = new PartitionKeyDefinition();
    levels.setPaths(List.of("/tenant", "/user"));
    levels.setKind(PartitionKind.MULTI_HASH);
    levels.setVersion(PartitionKeyDefinitionVersion.V2);
    database.createContainer(new CosmosContainerProperties("tenants", levels));
    CosmosContainer tenants = database.getContainer("tenants");
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    tenants.createItem(node.put("id", "1").put("tenant", "t").put("user", "u"));
    PartitionKey whole = new PartitionKeyBuilder().add("t").add("u").build();
    assertThat(tenants.readItem("1", whole, ObjectNode.class).getItem().get("user").asText())
        .isEqualTo("u");
    CosmosQueryRequestOptions prefix =
        new CosmosQueryRequestOptions().setPartitionKey(new PartitionKeyBuilder().add("t").build());
    assertThat(tenants.queryItems("SELECT * FROM c", prefix, ObjectNode.class).stream()).hasSize(1);
  }

  @Test
  void changeFeedStartsFromTheBeginning() {
    CosmosContainer changes = container("changes");
    changes.createItem(item("1", "c"));
    changes.createItem(item("2", "d"));
    CosmosChangeFeedRequestOptions beginning =
        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange());
    List<String> ids = new ArrayList<>();
    for (FeedResponse<ObjectNode> page :
        changes.queryChangeFeed(beginning, ObjectNode.class).iterableByPage()) {
      page.getResults().forEach(change -> ids.add(change.get("id").asText()));
      if (page.getResults().isEmpty()) {
        break;
      }
    }
    assertThat(ids).containsExactlyInAnyOrder("1", "2");
  }

  @Test
  void ttlSamplesOfTheDocumentationWork() {
    int day = 24 * 60 * 60;
    CosmosContainerProperties definition = new CosmosContainerProperties("orders", "/customerId");
    definition.setDefaultTimeToLiveInSeconds(90 * day);
    database.createContainer(definition, ThroughputProperties.createManualThroughput(20_000));
    CosmosContainer orders = database.getContainer("orders");
    assertThat(orders.readThroughput().getProperties().getManualThroughput()).isEqualTo(20_000);

    // an order with its own ttl
    String customer = "CO18009186470";
    PartitionKey key = new PartitionKey(customer);
    orders.createItem(item("SO05", customer).put("ttl", 30 * day));
    orders.createItem(item("SO06", customer));
    advance(30 * day - 1);
    ObjectNode order = orders.readItem("SO05", key, ObjectNode.class).getItem();

    // extended: every write starts the countdown again
    orders.replaceItem(order.put("ttl", 30 * 30 * 60), "SO05", key, new CosmosItemRequestOptions());
    advance(30 * 30 * 60 - 1);
    order = orders.readItem("SO05", key, ObjectNode.class).getItem();

    // removed: the default of the container applies
    order.remove("ttl");
    orders.replaceItem(order, "SO05", key, new CosmosItemRequestOptions());
    advance(60 * day);
    assertThat(orders.readItem("SO05", key, ObjectNode.class).getStatusCode()).isEqualTo(200);
    assertFails(NOT_FOUND, () -> orders.readItem("SO06", key, ObjectNode.class));
    assertThat(all(orders, "SELECT VALUE COUNT(1) FROM c", Integer.class)).containsExactly(1);

    // disabled: nothing expires
    CosmosContainerProperties read = orders.read().getProperties();
    read.setDefaultTimeToLiveInSeconds(null);
    orders.replace(read);
    assertThat(orders.read().getProperties().getDefaultTimeToLiveInSeconds()).isNull();
    advance(1000 * day);
    assertThat(orders.readItem("SO05", key, ObjectNode.class).getStatusCode()).isEqualTo(200);
    assertFails(NOT_FOUND, () -> orders.readItem("SO06", key, ObjectNode.class));
  }
}

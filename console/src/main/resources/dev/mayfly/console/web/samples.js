/* A short program for each driver and SDK. Each can be run again. */

/**
 * @param {{uri: string}} mongo
 * @returns {Array<{name: string, code: string}>}
 */
export function mongoSamples({ uri }) {
  return [
    { name: 'mongosh', code: `mongosh "${uri}"
db.sessions.createIndex({ createdAt: 1 }, { expireAfterSeconds: 60 });
db.sessions.insertOne({ user: "ada", createdAt: new Date() });
db.runCommand({ mayflyForecast: "sessions" });` },
    { name: 'Node', code: `import { MongoClient } from 'mongodb';

const client = await new MongoClient('${uri}').connect();
const sessions = client.db('test').collection('sessions');
await sessions.createIndex({ createdAt: 1 }, { expireAfterSeconds: 60 });
await sessions.insertOne({ user: 'ada', createdAt: new Date() });
console.log(await sessions.countDocuments());
await client.close();` },
    { name: 'Java', code: `// org.mongodb:mongodb-driver-sync
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.*;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

public class Sessions {
  public static void main(String[] args) {
    try (var client = MongoClients.create("${uri}")) {
      var sessions = client.getDatabase("test").getCollection("sessions");
      sessions.createIndex(
          Indexes.ascending("createdAt"), new IndexOptions().expireAfter(60L, TimeUnit.SECONDS));
      sessions.insertOne(new Document("user", "ada").append("createdAt", new Date()));
      System.out.println(sessions.countDocuments());
    }
  }
}` },
    { name: 'Spring', code: `# application.properties
spring.data.mongodb.uri=${uri}

@Document
record Session(@Id String id, String user,
    @Indexed(expireAfter = "60s") Instant createdAt) {}` },
    { name: 'Python', code: `from datetime import datetime, timezone
from pymongo import MongoClient

sessions = MongoClient("${uri}").test.sessions
sessions.create_index("createdAt", expireAfterSeconds=60)
sessions.insert_one({"user": "ada", "createdAt": datetime.now(timezone.utc)})
print(sessions.count_documents({}))` },
    { name: '.NET', code: `var client = new MongoClient("${uri}");
var sessions = client.GetDatabase("test").GetCollection<BsonDocument>("sessions");
sessions.Indexes.CreateOne(new CreateIndexModel<BsonDocument>(
    Builders<BsonDocument>.IndexKeys.Ascending("createdAt"),
    new CreateIndexOptions { ExpireAfter = TimeSpan.FromSeconds(60) }));
sessions.InsertOne(new BsonDocument { { "user", "ada" }, { "createdAt", DateTime.UtcNow } });` },
    { name: 'Go', code: `client, err := mongo.Connect(options.Client().ApplyURI("${uri}"))
sessions := client.Database("test").Collection("sessions")
_, err = sessions.Indexes().CreateOne(ctx, mongo.IndexModel{
	Keys:    bson.D{{"createdAt", 1}},
	Options: options.Index().SetExpireAfterSeconds(60)})
_, err = sessions.InsertOne(ctx, bson.M{"user": "ada", "createdAt": time.Now()})` },
  ];
}

/**
 * Programs for each SDK. Without a trusted certificate they accept the one of the server.
 * @param {{endpoint: string, key: string, trusted: boolean}} door the key may be masked
 * @returns {Array<{name: string, code: string}>}
 */
export function cosmosSamples({ endpoint, key, trusted }) {
  const unless = (text) => (trusted ? '' : text);
  return [
    { name: 'Java', code: `// com.azure:azure-cosmos${unless(`; start it with
// java -DCOSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED=true`)}
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.CosmosContainerProperties;
import java.util.Map;

public class Carts {
  public static void main(String[] args) {
    try (var client = new CosmosClientBuilder()
        .endpoint("${endpoint}")
        .key("${key}")
        .gatewayMode().buildClient()) {
      client.createDatabaseIfNotExists("shop");
      client.getDatabase("shop").createContainerIfNotExists(
          new CosmosContainerProperties("carts", "/customer").setDefaultTimeToLiveInSeconds(60));
      var carts = client.getDatabase("shop").getContainer("carts");
      carts.upsertItem(Map.of("id", "1", "customer", "ada"));
    }
  }
}` },
    { name: 'Node', code: `${unless(`// start it with NODE_TLS_REJECT_UNAUTHORIZED=0
`)}import { CosmosClient } from '@azure/cosmos';

const client = new CosmosClient({
  endpoint: '${endpoint}',
  key: '${key}' });
const { database } = await client.databases.createIfNotExists({ id: 'shop' });
const { container } = await database.containers.createIfNotExists(
  { id: 'carts', partitionKey: '/customer', defaultTtl: 60 });
await container.items.upsert({ id: '1', customer: 'ada' });` },
    { name: 'Python', code: `from azure.cosmos import CosmosClient, PartitionKey

client = CosmosClient(
    "${endpoint}",
    "${key}"${unless(`,
    connection_verify=False`)})
shop = client.create_database_if_not_exists("shop")
carts = shop.create_container_if_not_exists(
    "carts", PartitionKey("/customer"), default_ttl=60)
carts.upsert_item({"id": "1", "customer": "ada"})` },
    { name: '.NET', code: `var client = new CosmosClient(
    "${endpoint}",
    "${key}",
    new CosmosClientOptions {
        ConnectionMode = ConnectionMode.Gateway, LimitToEndpoint = true${unless(`,
        ServerCertificateCustomValidationCallback = (cert, chain, errors) => true`)} });
Database shop = await client.CreateDatabaseIfNotExistsAsync("shop");
Container carts = await shop.CreateContainerIfNotExistsAsync(
    new ContainerProperties("carts", "/customer") { DefaultTimeToLive = 60 });
await carts.UpsertItemAsync(new { id = "1", customer = "ada" });` },
    { name: 'Spring', code: `# application.properties${unless(`; start it with
# java -DCOSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED=true`)}
spring.cloud.azure.cosmos.endpoint=${endpoint}
spring.cloud.azure.cosmos.key=${key}
spring.cloud.azure.cosmos.connection-mode=GATEWAY

@Container(containerName = "carts", timeToLive = 60)
record Cart(@Id String id, @PartitionKey String customer) {}` },
    { name: 'Go', code: `key, err := azcosmos.NewKeyCredential(
    "${key}")
${unless(`insecure := &http.Client{Transport: &http.Transport{
    TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
`)}client, err := azcosmos.NewClientWithKey(
    "${endpoint}", key, ${trusted ? 'nil)' : `&azcosmos.ClientOptions{
        ClientOptions: azcore.ClientOptions{Transport: insecure}})`}
shop, err := client.NewDatabase("shop")
_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "shop"}, nil)
ttl := int32(60)
_, err = shop.CreateContainer(ctx, azcosmos.ContainerProperties{
    ID: "carts", DefaultTimeToLive: &ttl,
    PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/customer"}}}, nil)
carts, err := shop.NewContainer("carts")
_, err = carts.UpsertItem(ctx, azcosmos.NewPartitionKeyString("ada"),
    []byte(\`{"id": "1", "customer": "ada"}\`), nil)` },
  ];
}

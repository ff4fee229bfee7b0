// Uses the modules of Testcontainers as a test would, with an image of Mayfly.
import { AzureCosmosDbEmulatorContainer } from "@testcontainers/azure-cosmosdb-emulator";
import { MongoDBContainer } from "@testcontainers/mongodb";
import { CosmosClient } from "@azure/cosmos";
import { MongoClient } from "mongodb";
import { GenericContainer, Wait } from "testcontainers";

async function withClient(uri, use) {
  const client = await MongoClient.connect(uri, { directConnection: true });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function insertAndCount(client) {
  const carts = client.db("shop").collection("carts");
  await carts.insertOne({ _id: 1 });
  return carts.countDocuments();
}

const plain = await new GenericContainer("mayfly")
  .withCommand(["--emulator"])
  .withExposedPorts(27017)
  .withWaitStrategy(Wait.forLogMessage("Waiting for connections"))
  .start();
const address = `mongodb://${plain.getHost()}:${plain.getMappedPort(27017)}`;
console.log(`generic: ${await withClient(address, insertAndCount)}`);
await plain.stop();

// it runs mongosh in the container if the tag of the image is a version from 5 on
const mongo = await new MongoDBContainer("mayfly:8.0").start();
await withClient(mongo.getConnectionString(), async (client) => {
  const { setName } = await client.db("admin").command({ hello: 1 });
  console.log(`mongo: ${await insertAndCount(client)} in set ${setName}`);
});
await mongo.stop();

const secured = await new MongoDBContainer("mayfly:8.0").withUsername("ada").withPassword("secret").start();
const count = await withClient(secured.getConnectionString(), insertAndCount);
const refused = await withClient(secured.getConnectionString().replace("ada:secret@", ""), (client) =>
  insertAndCount(client).then(() => false, () => true),
);
console.log(`login: ${count}, refused: ${refused}`);
await secured.stop();

const cosmos = await new AzureCosmosDbEmulatorContainer("mayfly").start();
const client = new CosmosClient(cosmos.getConnectionUri());
const { database } = await client.databases.createIfNotExists({ id: "shop" });
console.log(`cosmos: ${(await database.read()).resource.id}`);
await cosmos.stop();
process.exit(0);

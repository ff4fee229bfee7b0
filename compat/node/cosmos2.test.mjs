// The JavaScript SDK of 2018 (@azure/cosmos 2.x).
import assert from "node:assert/strict";
import https from "node:https";
import { createRequire } from "node:module";
import { test } from "node:test";
import { MongoClient } from "mongodb";
import { advance } from "./clock.mjs";

// The SDK supports only https, and by default only TLS 1.0, so it gets an agent with a newer version.
// The server's certificate is self-signed.
const { CosmosClient } = createRequire(import.meta.url)("cosmos2");
const client = new CosmosClient({
  endpoint: process.env.MAYFLY_COSMOS_ENDPOINT.replace("http:", "https:"),
  auth: { masterKey: process.env.MAYFLY_COSMOS_KEY },
  agent: new https.Agent({ secureProtocol: "TLS_method", rejectUnauthorized: false }),
});

test("items of a container without a partition key expire on time", async () => {
  const clock = await new MongoClient(process.env.MAYFLY_URI).connect();
  const { database } = await client.databases.create({ id: "cosmos2" });
  try {
    const { container } = await database.containers.create({ id: "items", defaultTtl: 20 });
    await container.items.create({ id: "a", n: 1 });
    const { body } = await container.item("a").read();
    assert.equal(body.n, 1);
    const { result } = await container.items.query("SELECT * FROM c WHERE c.n = 1").toArray();
    assert.equal(result.length, 1);
    await container.item("a").replace({ ...body, ttl: 100 });
    await advance(clock, 20_000);
    assert.equal((await container.item("a").read()).body.ttl, 100);
    await advance(clock, 80_000);
    await assert.rejects(container.item("a").read(), (error) => error.code === 404);
  } finally {
    await database.delete();
    await clock.close();
  }
});

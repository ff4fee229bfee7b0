// The SDK of 2016 to 2018 (documentdb 1.x): collections without a partition key, links, callbacks.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { test } from "node:test";
import { MongoClient } from "mongodb";
import { advance } from "./clock.mjs";

// It knows https alone, and of TLS the first version alone, which nobody serves any more; its agent
// is told to speak a newer one. The certificate is the server's own.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
const endpoint = process.env.MAYFLY_COSMOS_ENDPOINT.replace("http:", "https:");
const { DocumentClient } = createRequire(import.meta.url)("documentdb");
const client = new DocumentClient(endpoint, {
  masterKey: process.env.MAYFLY_COSMOS_KEY,
});
client.requestAgent.options.secureProtocol = "TLS_method";
const call = (name) => promisify(client[name].bind(client));

test("documents live as long as their collection or they themselves say", async () => {
  const clock = await new MongoClient(process.env.MAYFLY_URI).connect();
  const database = await call("createDatabase")({ id: "documentdb" });
  try {
    const collection = await call("createCollection")(database._self, {
      id: "things",
      defaultTtl: 100,
    });
    assert.equal(collection.defaultTtl, 100);
    const brief = await call("createDocument")(collection._self, { id: "brief", ttl: 10 });
    await call("createDocument")(collection._self, { id: "long", ttl: -1, n: 1 });
    await call("createDocument")("dbs/documentdb/colls/things", { id: "plain", n: 2 });
    assert.equal((await call("readDocument")(brief._self)).id, "brief");
    await advance(clock, 10_000);
    await assert.rejects(call("readDocument")(brief._self), (error) => error.code === 404);
    const query = client.queryDocuments(collection._self, {
      query: "SELECT * FROM root r WHERE r.n > @n",
      parameters: [{ name: "@n", value: 0 }],
    });
    const found = await promisify(query.toArray.bind(query))();
    assert.deepEqual(found.map((one) => one.id).sort(), ["long", "plain"]);
    const plain = found.find((one) => one.id === "plain");
    const replaced = await call("replaceDocument")(plain._self, { ...plain, ttl: -1 });
    assert.equal(replaced.ttl, -1);
    await advance(clock, 200_000);
    assert.equal((await call("readDocument")("dbs/documentdb/colls/things/docs/plain")).n, 2);
    await call("deleteDocument")(plain._self);
    collection.defaultTtl = -1;
    const changed = await call("replaceCollection")(collection._self, collection);
    assert.equal(changed.defaultTtl, -1);
    delete changed.defaultTtl;
    const off = await call("replaceCollection")(collection._self, changed);
    assert.ok(!("defaultTtl" in off));
  } finally {
    await call("deleteDatabase")(database._self);
    await clock.close();
  }
});

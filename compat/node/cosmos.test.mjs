// Common operations of the JavaScript SDK for Azure Cosmos DB: containers, items, queries, change feed, TTL.
import assert from "node:assert/strict";
import https from "node:https";
import { after, before, test } from "node:test";
import { ChangeFeedStartFrom, CosmosClient, PartitionKeyBuilder } from "@azure/cosmos";
import { MongoClient } from "mongodb";
import { advance } from "./clock.mjs";

const key = process.env.MAYFLY_COSMOS_KEY;
const endpoint = process.env.MAYFLY_COSMOS_ENDPOINT;
const client = new CosmosClient({ endpoint, key });
const clock = new MongoClient(process.env.MAYFLY_URI);
let database;

before(async () => {
  await clock.connect();
  ({ database } = await client.databases.createIfNotExists({ id: "node" }));
});
after(async () => {
  await database.delete();
  await clock.close();
  client.dispose();
});

async function container(id, more = {}) {
  const { container } = await database.containers.createIfNotExists({
    id,
    partitionKey: { paths: ["/customerId"] },
    ...more,
  });
  return container;
}

async function refused(code, promise) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    return true;
  });
}

test("a container keeps the format of its TTL property", async () => {
  const offers = await container("offers", {
    defaultTtl: 60,
    ttlPropertyPath: "/end",
    mayfly: { ttlFormat: "milliseconds" },
  });
  const { resource: read } = await offers.read();
  assert.deepEqual(read.mayfly, { ttlFormat: "milliseconds" });
  const { resource: replaced } = await offers.replace({ ...read, defaultTtl: 90 });
  assert.equal(replaced.defaultTtl, 90);
  assert.deepEqual(replaced.mayfly, { ttlFormat: "milliseconds" });
});

test("items are created, read, replaced, upserted, patched and deleted", async () => {
  const orders = await container("orders");
  const { resource: created, statusCode, headers } = await orders.items.create({
    id: "SO05",
    customerId: "CO18009186470",
    total: 5.95,
    big: 9007199254740991,
    lines: [{ sku: "a", n: 1 }],
  });
  assert.equal(statusCode, 201);
  assert.ok(Number(headers["x-ms-request-charge"]) > 0);
  for (const name of ["_rid", "_self", "_etag", "_ts", "_attachments"]) {
    assert.ok(created[name], name);
  }
  await refused(409, orders.items.create({ id: "SO05", customerId: "CO18009186470" }));
  await orders.items.create({ id: "SO05", customerId: "another" });
  const item = orders.item("SO05", "CO18009186470");
  const { resource: read, etag } = await item.read();
  assert.deepEqual(read, created);
  assert.equal(etag, read._etag);
  const { statusCode: same } = await item.read({
    accessCondition: { type: "IfNoneMatch", condition: etag },
  });
  assert.equal(same, 304);
  const { resource: replaced } = await item.replace({ ...read, total: 7 });
  assert.equal(replaced.total, 7);
  assert.notEqual(replaced._etag, read._etag);
  await refused(
    412,
    item.replace(read, { accessCondition: { type: "IfMatch", condition: read._etag } }),
  );
  const upserted = await orders.items.upsert({ id: "SO06", customerId: "CO18009186470", total: 1 });
  assert.equal(upserted.statusCode, 201);
  assert.equal((await orders.items.upsert({ ...upserted.resource, total: 2 })).statusCode, 200);
  const { resource: patched } = await item.patch([
    { op: "incr", path: "/total", value: 3 },
    { op: "add", path: "/lines/-", value: { sku: "b", n: 2 } },
    { op: "remove", path: "/big" },
    { op: "set", path: "/note", value: null },
  ]);
  assert.equal(patched.total, 10);
  assert.equal(patched.lines.length, 2);
  assert.ok(!("big" in patched));
  await refused(
    412,
    item.patch({ condition: "from c where c.total > 100", operations: [{ op: "set", path: "/x", value: 1 }] }),
  );
  assert.equal((await item.delete()).statusCode, 204);
  assert.equal((await item.read()).statusCode, 404);
  await refused(404, item.delete());
});

test("ids may contain a question mark, which the SDK does not encode", async () => {
  const orders = await container("questions");
  await orders.items.create({ id: "a", customerId: "c" });
  await orders.items.create({ id: "a?b", customerId: "c" });
  const item = orders.item("a?b", "c");
  assert.equal((await item.read()).resource.id, "a?b");
  await item.replace({ id: "a?b", customerId: "c", n: 1 });
  assert.equal((await item.patch([{ op: "incr", path: "/n", value: 1 }])).resource.n, 2);
  await item.delete();
  assert.equal((await item.read()).statusCode, 404);
  assert.equal((await orders.item("a", "c").read()).statusCode, 200);
});

test("an invalid ttl fails in a container without a default TTL", async () => {
  const orders = await container("without-default");
  await refused(400, orders.items.create({ id: "1", customerId: "c", ttl: -10 }));
});

test("queries select, join, group, order and page", async () => {
  const people = await container("people");
  for (let i = 0; i < 40; i++) {
    await people.items.create({
      id: `p${i}`,
      customerId: `c${i % 4}`,
      age: i,
      name: i % 2 ? `Ann ${i}` : `Bob ${i}`,
      tags: [`t${i % 3}`, "all"],
    });
  }
  const all = async (query, options) => (await people.items.query(query, options).fetchAll()).resources;
  assert.deepEqual(await all("SELECT VALUE COUNT(1) FROM c"), [40]);
  assert.deepEqual(
    await all({
      query: "SELECT c.id, c.age FROM c WHERE c.age >= @from AND STARTSWITH(c.name, 'Ann') ORDER BY c.age DESC",
      parameters: [{ name: "@from", value: 36 }],
    }),
    [{ id: "p39", age: 39 }, { id: "p37", age: 37 }],
  );
  assert.deepEqual(
    (await all("SELECT c.customerId AS k, SUM(c.age) AS s, COUNT(1) AS n FROM c GROUP BY c.customerId"))
      .sort((a, b) => a.k.localeCompare(b.k)),
    [0, 1, 2, 3].map((k) => ({ k: `c${k}`, s: 180 + 10 * k, n: 10 })),
  );
  assert.deepEqual(
    (await all("SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags WHERE c.age < 3")).sort(),
    ["all", "t0", "t1", "t2"],
  );
  assert.equal((await all("SELECT * FROM c WHERE c.customerId = 'c1'", { partitionKey: "c1" })).length, 10);
  assert.deepEqual(await all("SELECT VALUE c.age FROM c ORDER BY c.age OFFSET 5 LIMIT 3"), [5, 6, 7]);
  assert.deepEqual(await all("SELECT TOP 2 VALUE c.age FROM c ORDER BY c.age DESC"), [39, 38]);
  const pages = people.items.query("SELECT VALUE c.age FROM c ORDER BY c.age", { maxItemCount: 7 });
  const ages = [];
  let count = 0;
  while (pages.hasMoreResults()) {
    const page = await pages.fetchNext();
    ages.push(...(page.resources ?? []));
    count++;
  }
  assert.ok(count > 5);
  assert.deepEqual(ages, Array.from({ length: 40 }, (_, i) => i));
  const first = await people.items.query("SELECT VALUE c.id FROM c", { maxItemCount: 10 }).fetchNext();
  const rest = await people.items
    .query("SELECT VALUE c.id FROM c", { maxItemCount: 100, continuationToken: first.continuationToken })
    .fetchNext();
  assert.equal(new Set([...first.resources, ...rest.resources]).size, 40);
  await refused(400, all("SELECT * FORM c"));
});

test("a batch is atomic, bulk operations are not", async () => {
  const orders = await container("batches");
  const good = await orders.items.batch(
    [
      { operationType: "Create", resourceBody: { id: "a", customerId: "c", n: 1 } },
      { operationType: "Upsert", resourceBody: { id: "b", customerId: "c", n: 2 } },
      { operationType: "Read", id: "a" },
    ],
    "c",
  );
  assert.deepEqual(good.result.map((one) => one.statusCode), [201, 201, 200]);
  const bad = await orders.items.batch(
    [
      { operationType: "Delete", id: "a" },
      { operationType: "Create", resourceBody: { id: "b", customerId: "c" } },
    ],
    "c",
  );
  assert.deepEqual(bad.result.map((one) => one.statusCode), [424, 409]);
  assert.equal((await orders.item("a", "c").read()).statusCode, 200);
  const bulk = await orders.items.executeBulkOperations([
    { operationType: "Create", partitionKey: "d", resourceBody: { id: "x", customerId: "d" } },
    { operationType: "Create", partitionKey: "c", resourceBody: { id: "a", customerId: "c" } },
  ]);
  assert.deepEqual(bulk.map((one) => one.response?.statusCode ?? one.error.code), [201, 409]);
});

test("hierarchical keys and containers without a key", async () => {
  const { container: tenants } = await database.containers.createIfNotExists({
    id: "tenants",
    partitionKey: { paths: ["/tenant", "/user"], kind: "MultiHash", version: 2 },
  });
  await tenants.items.create({ id: "1", tenant: "t", user: "u" });
  const whole = new PartitionKeyBuilder().addValue("t").addValue("u").build();
  assert.equal((await tenants.item("1", whole).read()).resource.user, "u");
  const { resources } = await tenants.items
    .query("SELECT * FROM c WHERE c.tenant = 't'")
    .fetchAll();
  assert.equal(resources.length, 1);
});

test("a unique key can be used again after its item has expired", async () => {
  const users = await container("users", {
    defaultTtl: 10,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/email"] }] },
  });
  await users.items.create({ id: "1", customerId: "c", email: "a@b" });
  await refused(409, users.items.create({ id: "2", customerId: "c", email: "a@b" }));
  await advance(clock, 10_000);
  assert.equal((await users.items.create({ id: "2", customerId: "c", email: "a@b" })).statusCode, 201);
});

test("the nine cases of time to live", async () => {
  for (const [defaultTtl, ttl, lives] of [
    [undefined, undefined, true],
    [undefined, -1, true],
    [undefined, 5, true],
    [-1, undefined, true],
    [-1, -1, true],
    [-1, 5, false],
    [5, undefined, false],
    [5, -1, true],
    [60, 5, false],
  ]) {
    const name = `ttl-${defaultTtl}-${ttl}`;
    const some = await container(name, defaultTtl === undefined ? {} : { defaultTtl });
    const item = { id: "i", customerId: "c" };
    await some.items.create(ttl === undefined ? item : { ...item, ttl });
    await advance(clock, 3_000);
    assert.equal((await some.item("i", "c").read()).statusCode, 200, name);
    await advance(clock, 2_000);
    assert.equal((await some.item("i", "c").read()).statusCode, lives ? 200 : 404, name);
    const { resources } = await some.items.query("SELECT VALUE COUNT(1) FROM c").fetchAll();
    assert.deepEqual(resources, [lives ? 1 : 0], name);
    if (!lives) {
      await refused(404, some.item("i", "c").replace(item));
      await refused(404, some.item("i", "c").delete());
      assert.equal((await some.items.create(item)).statusCode, 201, name);
    }
  }
});

test("invalid TTLs fail", async () => {
  const some = await container("wrong", { defaultTtl: -1 });
  for (const ttl of [0, -2, 2147483648, 1.5, "60", null, true]) {
    await refused(400, some.items.create({ id: `i${ttl}`, customerId: "c", ttl }));
  }
  await refused(400, database.containers.create({ id: "zero", partitionKey: "/k", defaultTtl: 0 }));
  await refused(
    400,
    database.containers.create({
      id: "none",
      partitionKey: "/k",
      defaultTtl: 5,
      indexingPolicy: { indexingMode: "none", automatic: false },
    }),
  );
});

test("a changed default TTL counts from the last write; without one nothing expires", async () => {
  const some = await container("changed", { defaultTtl: 100 });
  await some.items.create({ id: "old", customerId: "c" });
  await advance(clock, 50_000);
  await some.items.create({ id: "new", customerId: "c" });
  const { resource: definition } = await some.read();
  await some.replace({ ...definition, defaultTtl: 30 });
  assert.equal((await some.item("old", "c").read()).statusCode, 404);
  assert.equal((await some.item("new", "c").read()).statusCode, 200);
  const { defaultTtl: _, ...off } = definition;
  const { resource: switchedOff } = await some.replace(off);
  assert.ok(!("defaultTtl" in switchedOff));
  await advance(clock, 1_000_000);
  assert.equal((await some.item("new", "c").read()).statusCode, 200);
  assert.equal((await some.item("old", "c").read()).statusCode, 404);
});

test("the change feed starts from the beginning or from now", async () => {
  const some = await container("changes");
  await some.items.create({ id: "1", customerId: "c" });
  await some.items.create({ id: "2", customerId: "d" });
  const drain = async (iterator) => {
    const ids = [];
    while (true) {
      const page = await iterator.readNext();
      if (page.statusCode === 304) return ids;
      ids.push(...page.result.map((one) => one.id));
    }
  };
  const beginning = some.items.getChangeFeedIterator({
    changeFeedStartFrom: ChangeFeedStartFrom.Beginning(),
  });
  assert.deepEqual((await drain(beginning)).sort(), ["1", "2"]);
  const now = some.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now() });
  assert.deepEqual(await drain(now), []);
  await some.items.upsert({ id: "1", customerId: "c", again: true });
  assert.deepEqual(await drain(now), ["1"]);
  assert.deepEqual(await drain(beginning), ["1"]);
});

test("throughput is read and replaced", async () => {
  const { container: some } = await database.containers.create(
    { id: "paid", partitionKey: "/k" },
    { offerThroughput: 1000 },
  );
  const { resource: offer, offer: handle } = await some.readOffer();
  assert.equal(offer.content.offerThroughput, 1000);
  offer.content.offerThroughput = 2000;
  await handle.replace(offer);
  assert.equal((await some.readOffer()).resource.content.offerThroughput, 2000);
});

test("the SDK works over TLS with the self-signed certificate", async () => {
  const secure = new CosmosClient({
    endpoint: endpoint.replace("http:", "https:"),
    key,
    agent: new https.Agent({ rejectUnauthorized: false }),
  });
  const { resources } = await secure.databases.readAll().fetchAll();
  assert.ok(resources.some((one) => one.id === "node"));
  secure.dispose();
});

test("a wrong key is unauthorized", async () => {
  const wrong = new CosmosClient({ endpoint, key: Buffer.from("wrong").toString("base64") });
  await refused(401, wrong.databases.readAll().fetchAll());
  wrong.dispose();
});

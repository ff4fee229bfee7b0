// Common operations of the official Node driver: documents, indexes, cursors, transactions, change streams, TTL.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GridFSBucket, MongoClient, ObjectId } from "mongodb";
import { advance } from "./clock.mjs";

const client = new MongoClient(process.env.MAYFLY_URI, { serverSelectionTimeoutMS: 5000 });
const db = client.db("node");

before(() => client.connect());
after(async () => {
  await db.dropDatabase();
  await client.close();
});

test("documents are inserted, found, updated and deleted", async () => {
  const carts = db.collection("carts");
  const { insertedIds } = await carts.insertMany([
    { user: "ada", items: [{ sku: "a", n: 1 }], total: 10 },
    { user: "bob", items: [], total: 20.5 },
    { user: "cy", items: [{ sku: "b", n: 2 }, { sku: "c", n: 3 }], total: 30 },
  ]);
  assert.equal(Object.keys(insertedIds).length, 3);
  assert.equal(await carts.countDocuments({ total: { $gte: 20 } }), 2);
  assert.equal(await carts.estimatedDocumentCount(), 3);
  const one = await carts.findOne({ user: "cy" }, { projection: { _id: 0, total: 1 } });
  assert.deepEqual(one, { total: 30 });
  const updated = await carts.updateOne(
    { user: "cy", "items.sku": "c" },
    { $inc: { "items.$.n": 5 }, $set: { seen: true } },
  );
  assert.equal(updated.modifiedCount, 1);
  assert.equal((await carts.findOne({ user: "cy" })).items[1].n, 8);
  const replaced = await carts.findOneAndReplace(
    { user: "bob" },
    { user: "bob", total: 21 },
    { returnDocument: "after" },
  );
  assert.equal(replaced.total, 21);
  const upserted = await carts.updateOne({ user: "dee" }, { $set: { total: 1 } }, { upsert: true });
  assert.ok(upserted.upsertedId instanceof ObjectId);
  assert.deepEqual((await carts.distinct("user")).sort(), ["ada", "bob", "cy", "dee"]);
  assert.equal((await carts.deleteMany({ total: { $lt: 15 } })).deletedCount, 2);
  const names = await carts.find().sort({ user: -1 }).map((cart) => cart.user).toArray();
  assert.deepEqual(names, ["cy", "bob"]);
});

test("a cursor returns many batches", async () => {
  const many = db.collection("many");
  await many.insertMany(Array.from({ length: 2500 }, (_, i) => ({ _id: i, even: i % 2 === 0 })));
  let sum = 0;
  for await (const document of many.find({ even: true }).batchSize(100).sort({ _id: 1 })) {
    sum += document._id;
  }
  assert.equal(sum, (1250 * 2498) / 2);
});

test("a pipeline groups, joins and sorts", async () => {
  await db.collection("users").insertMany([{ _id: "u1", name: "Ada" }, { _id: "u2", name: "Bob" }]);
  await db.collection("orders").insertMany([
    { user: "u1", price: 5 },
    { user: "u1", price: 7 },
    { user: "u2", price: 1 },
  ]);
  const rows = await db.collection("orders").aggregate([
    { $group: { _id: "$user", total: { $sum: "$price" } } },
    { $lookup: { from: "users", localField: "_id", foreignField: "_id", as: "user" } },
    { $project: { _id: 0, name: { $first: "$user.name" }, total: 1 } },
    { $sort: { total: -1 } },
  ]).toArray();
  assert.deepEqual(rows, [{ total: 12, name: "Ada" }, { total: 1, name: "Bob" }]);
});

test("a unique index rejects a duplicate", async () => {
  const users = db.collection("logins");
  await users.createIndex({ email: 1 }, { unique: true });
  await users.insertOne({ email: "a@b.c" });
  await assert.rejects(users.insertOne({ email: "a@b.c" }), (error) => {
    assert.equal(error.code, 11000);
    assert.deepEqual(error.keyPattern, { email: 1 });
    assert.deepEqual(error.keyValue, { email: "a@b.c" });
    return true;
  });
});

test("a bulk write reports each result", async () => {
  const bulk = db.collection("bulk");
  const result = await bulk.bulkWrite([
    { insertOne: { document: { _id: 1, n: 1 } } },
    { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } },
    { updateOne: { filter: { _id: 2 }, update: { $set: { n: 9 } }, upsert: true } },
    { deleteOne: { filter: { _id: 1 } } },
  ]);
  assert.equal(result.insertedCount, 1);
  assert.equal(result.modifiedCount, 1);
  assert.equal(result.upsertedCount, 1);
  assert.equal(result.deletedCount, 1);
});

test("a transaction is atomic", async () => {
  const accounts = db.collection("accounts");
  await accounts.insertMany([{ _id: "a", n: 10 }, { _id: "b", n: 0 }]);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await accounts.updateOne({ _id: "a" }, { $inc: { n: -4 } }, { session });
      await accounts.updateOne({ _id: "b" }, { $inc: { n: 4 } }, { session });
      assert.equal((await accounts.findOne({ _id: "b" })).n, 0);
      assert.equal((await accounts.findOne({ _id: "b" }, { session })).n, 4);
    }),
  );
  assert.equal((await accounts.findOne({ _id: "b" })).n, 4);
  const session = client.startSession();
  session.startTransaction();
  await accounts.updateOne({ _id: "a" }, { $set: { n: 99 } }, { session });
  await session.abortTransaction();
  await session.endSession();
  assert.equal((await accounts.findOne({ _id: "a" })).n, 6);
});

test("a change stream reports changes and expiry", async () => {
  const watched = db.collection("watched");
  await watched.createIndex({ at: 1 }, { expireAfterSeconds: 0 });
  const stream = watched.watch([], { fullDocument: "updateLookup" });
  assert.equal(await stream.tryNext(), null); // opens the stream
  const events = [];
  const seen = (async () => {
    for await (const event of stream) {
      events.push(event);
      if (event.operationType === "delete" && event.documentKey._id === "soon") break;
    }
  })();
  const { now } = await client.db("admin").command({ mayflyClock: 1 });
  await watched.insertOne({ _id: "stays", n: 1 });
  await watched.updateOne({ _id: "stays" }, { $set: { n: 2 } });
  await watched.insertOne({ _id: "soon", at: new Date(now.getTime() + 60_000) });
  await advance(client, 61_000);
  await seen;
  await stream.close();
  assert.deepEqual(events.map((event) => event.operationType), ["insert", "update", "insert", "delete"]);
  assert.deepEqual(events[1].updateDescription.updatedFields, { n: 2 });
  assert.equal(events[1].fullDocument.n, 2);
  assert.equal(events[3].mayfly.expired, true);
});

test("documents expire at their deadline, and the TTL can be changed", async () => {
  const sessions = db.collection("sessions");
  const { now } = await client.db("admin").command({ mayflyClock: 1 });
  await sessions.createIndex({ createdAt: 1 }, { expireAfterSeconds: 3600 });
  await sessions.insertOne({ _id: 1, createdAt: now });
  await advance(client, 3_599_000);
  assert.equal(await sessions.countDocuments({}), 1);
  await advance(client, 1_000);
  assert.equal(await sessions.countDocuments({}), 0);
  assert.equal(await sessions.findOne({ _id: 1 }), null);
  await sessions.insertOne({ _id: 1, createdAt: new Date(now.getTime() + 3_600_000) });
  const changed = await db.command({
    collMod: "sessions",
    index: { keyPattern: { createdAt: 1 }, expireAfterSeconds: 10 },
  });
  assert.equal(Number(changed.expireAfterSeconds_old), 3600);
  assert.equal(Number(changed.expireAfterSeconds_new), 10);
  await advance(client, 10_000);
  assert.equal(await sessions.findOne({ _id: 1 }), null);
});

test("GridFS stores and returns files", async () => {
  const bucket = new GridFSBucket(db, { chunkSizeBytes: 1000 });
  const bytes = Buffer.alloc(3500, 7);
  await new Promise((resolve, reject) => {
    const upload = bucket.openUploadStream("seven.bin");
    upload.on("finish", resolve).on("error", reject);
    upload.end(bytes);
  });
  const chunks = [];
  for await (const chunk of bucket.openDownloadStreamByName("seven.bin")) chunks.push(chunk);
  assert.deepEqual(Buffer.concat(chunks), bytes);
});

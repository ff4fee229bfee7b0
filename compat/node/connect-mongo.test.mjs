// The session store of Express applications, on the system clock.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import MongoStore from "connect-mongo";
import { MongoClient } from "mongodb";

const client = new MongoClient(process.env.MAYFLY_REAL_CLOCK_URI);
const store = MongoStore.create({ client, dbName: "sessions", ttl: 2, autoRemove: "native" });

after(async () => {
  await store.close();
  await client.close();
});

const call = (method, ...args) =>
  new Promise((resolve, reject) => {
    store[method](...args, (error, value) => (error ? reject(error) : resolve(value)));
  });

test("a session is stored, touched, and expires", async () => {
  const session = { cookie: { originalMaxAge: null }, user: "ada" };
  await call("set", "sid-1", session);
  assert.equal((await call("get", "sid-1")).user, "ada");
  assert.equal(await call("length"), 1);
  const deadline = Date.now() + 10_000;
  let there = 1;
  while (there && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    there = await client.db("sessions").collection("sessions").countDocuments({});
  }
  assert.equal(there, 0);
  assert.equal((await call("get", "sid-1")) ?? null, null);
});

// Requests of the SDK for Azure Cosmos DB that are dated by the machine's clock and by a test clock.
import assert from "node:assert/strict";
import { after, mock, test } from "node:test";
import { CosmosClient } from "@azure/cosmos";
import { MongoClient } from "mongodb";
import { advance } from "./clock.mjs";

const MINUTE = 60_000;
const client = new CosmosClient({
  endpoint: process.env.MAYFLY_COSMOS_ENDPOINT,
  key: process.env.MAYFLY_COSMOS_KEY,
});
const mongo = new MongoClient(process.env.MAYFLY_URI);
after(async () => {
  await mongo.close();
  client.dispose();
});

async function serverTime() {
  const { now } = await mongo.db("admin").command({ mayflyClock: 1 });
  return now.getTime();
}

/** Sends a request while the program's clock shows that time. */
async function at(time, request) {
  mock.timers.enable({ apis: ["Date"], now: time });
  try {
    return await request();
  } finally {
    mock.timers.reset();
  }
}

test("the window of signatures follows the test clock and the machine's", async () => {
  await advance(mongo, 400 * 24 * 60 * MINUTE);
  const list = () => client.databases.readAll().fetchAll();
  await list();
  const now = await serverTime();
  await at(now, list);
  await at(now + 14 * MINUTE, list);
  await at(now - 14 * MINUTE, list);
  for (const date of [now + 17 * MINUTE, now - 17 * MINUTE, Date.now() - 17 * MINUTE]) {
    await assert.rejects(at(date, list), { code: 403 });
  }
});

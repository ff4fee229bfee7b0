// The SDK of 2016 to 2018 (documentdb 1.x): collections without a partition key, links, callbacks.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { test } from "node:test";
import { MongoClient } from "mongodb";
import { advance } from "./clock.mjs";

// The SDK supports only https, and by default only TLS 1.0, so it gets an agent with a newer version.
// The server's certificate is self-signed.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
const endpoint = process.env.MAYFLY_COSMOS_ENDPOINT.replace("http:", "https:");
const { DocumentClient } = createRequire(import.meta.url)("documentdb");
const client = new DocumentClient(endpoint, {
  masterKey: process.env.MAYFLY_COSMOS_KEY,
});
client.requestAgent.options.secureProtocol = "TLS_method";
const call = (name) => promisify(client[name].bind(client));

test("documents expire by the default TTL or their own ttl", async () => {
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

const text = (...chunks) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
const all = (iterator) => promisify(iterator.toArray.bind(iterator))();

test("attachments are described or uploaded, and are deleted with their document", async () => {
  const clock = await new MongoClient(process.env.MAYFLY_URI).connect();
  const database = await call("createDatabase")({ id: "attached" });
  try {
    const collection = await call("createCollection")(database._self, {
      id: "things",
      defaultTtl: 100,
    });
    for (const named of [false, true]) {
      const id = named ? "named" : "linked";
      const made = await call("createDocument")(collection._self, { id });
      const link = named ? `dbs/attached/colls/things/docs/${id}` : made._self;
      const at = (one) => (named ? `${link}/attachments/${one.id}` : one._self);
      assert.deepEqual(await all(client.readAttachments(link)), []);
      await assert.rejects(
        call("createAttachmentAndUploadMedia")(link, text("x"), {
          slug: "photo 1",
          contentType: "junt/test",
        }),
        (error) => error.code === 400,
      );
      const media = { slug: "photo 1", contentType: "application/text" };
      const upload = (name, ...chunks) => call(name)(link, text(...chunks), media);
      const photo = await upload("createAttachmentAndUploadMedia", "first chunk ", "second chunk");
      assert.equal(photo.id, "photo 1");
      assert.equal(photo.contentType, "application/text");
      await assert.rejects(
        upload("createAttachmentAndUploadMedia", "x"),
        (error) => error.code === 409,
      );
      const book = await call("createAttachment")(link, {
        id: "book",
        contentType: "application/text",
        media: "http://example.com/",
        author: "Eco",
      });
      assert.equal((await all(client.readAttachments(link))).length, 2);
      const found = await all(
        client.queryAttachments(link, "SELECT * FROM root r WHERE r.author = 'Eco'"),
      );
      assert.deepEqual(found.map((one) => one.id), ["book"]);
      const replaced = await call("replaceAttachment")(at(book), { ...book, author: "Poe" });
      assert.equal(replaced.author, "Poe");
      assert.equal((await call("readAttachment")(at(book))).author, "Poe");
      assert.equal((await call("upsertAttachment")(link, { ...book, author: "X" })).author, "X");
      assert.equal(await call("readMedia")(photo.media), "first chunk second chunk");
      await call("updateMedia")(photo.media, text("modified"), media);
      assert.equal(await call("readMedia")(photo.media), "modified");
      await upload("upsertAttachmentAndUploadMedia", "anew");
      assert.equal(await call("readMedia")(photo.media), "anew");
      await call("deleteAttachment")(at(book));
      await assert.rejects(call("readAttachment")(at(book)), (error) => error.code === 404);
      await advance(clock, 100_000);
      await assert.rejects(call("readMedia")(photo.media), (error) => error.code === 404);
      await assert.rejects(call("readAttachment")(at(photo)), (error) => error.code === 404);
    }
  } finally {
    await call("deleteDatabase")(database._self);
    await clock.close();
  }
});

// Common operations of Mongoose: schemas with expires, validation, population, hooks, queries.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import mongoose from "mongoose";
import { advance } from "./clock.mjs";

const { Schema } = mongoose;

before(() => mongoose.connect(process.env.MAYFLY_URI, { dbName: "mongoose" }));
after(async () => {
  await mongoose.connection.dropDatabase();
  await mongoose.disconnect();
});

test("a model creates its indexes, saves, validates and finds", async () => {
  const User = mongoose.model("User", new Schema({
    name: { type: String, required: true },
    email: { type: String, unique: true },
    tags: [String],
  }, { timestamps: true }));
  await User.init();
  const ada = await User.create({ name: "Ada", email: "ada@x.y", tags: ["a", "b"] });
  await assert.rejects(User.create({ email: "no@name" }), mongoose.Error.ValidationError);
  await assert.rejects(User.create({ name: "Other", email: "ada@x.y" }), { code: 11000 });
  ada.tags.push("c");
  await ada.save();
  const found = await User.findOne({ tags: "c" }).lean();
  assert.equal(found.name, "Ada");
  const renamed = await User.findOneAndUpdate({ name: "Ada" }, { name: "Ada L." }, { new: true });
  assert.equal(renamed.name, "Ada L.");
  assert.equal(await User.countDocuments({ tags: { $size: 3 } }), 1);
});

test("references are populated", async () => {
  const Author = mongoose.model("Author", new Schema({ name: String }));
  const Book = mongoose.model("Book", new Schema({
    title: String,
    author: { type: Schema.Types.ObjectId, ref: "Author" },
  }));
  const author = await Author.create({ name: "Le Guin" });
  await Book.create({ title: "The Dispossessed", author: author._id });
  const book = await Book.findOne().populate("author");
  assert.equal(book.author.name, "Le Guin");
});

test("documents of a path with expires expire", async () => {
  const Token = mongoose.model("Token", new Schema({
    value: String,
    createdAt: { type: Date, expires: 60 },
  }));
  await Token.init();
  const client = mongoose.connection.getClient();
  const { now } = await client.db("admin").command({ mayflyClock: 1 });
  await Token.create({ value: "secret", createdAt: now });
  await advance(client, 59_000);
  assert.equal(await Token.countDocuments(), 1);
  await advance(client, 1_000);
  assert.equal(await Token.countDocuments(), 0);
});

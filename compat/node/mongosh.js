// Run by mongosh against a server: prints "mongosh: all good" if all checks pass.
const assert = (holds, what) => {
  if (!holds) throw new Error("check failed: " + what);
};
db = db.getSiblingDB("shell");
db.dropDatabase();
assert(db.log.insertOne({ _id: 1, at: new Date(Date.now() - 5000) }).acknowledged, "insert");
assert(db.log.countDocuments() === 1, "count");
db.log.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
assert(db.log.countDocuments() === 0, "expired at once");
const index = db.log.getIndexes().find((one) => one.name === "at_1");
assert(index.expireAfterSeconds === 1, "listIndexes");
assert(db.runCommand({ ping: 1 }).ok === 1, "ping");
assert(db.getCollectionNames().includes("log"), "names");
assert(db.log.stats().count === 0, "stats");
assert(db.serverStatus().metrics.ttl.deletedDocuments !== undefined, "serverStatus");
db.things.insertMany([{ a: 1 }, { a: 2 }, { a: 3 }]);
db.things.createIndex({ a: 1 });
const plan = db.things.find({ a: { $gt: 1 } }).explain("executionStats");
assert(plan.executionStats.nReturned === 2, "explain");
assert(JSON.stringify(plan.queryPlanner.winningPlan).includes("IXSCAN"), "index used");
assert(db.things.aggregate([{ $group: { _id: null, s: { $sum: "$a" } } }]).toArray()[0].s === 6, "sum");
db.dropDatabase();
print("mongosh: all good");

package dev.mayfly.store;

/** What an owner commits to its shard together with what is committed to others. */
public record ShardBatch(Shard shard, Batch batch) {}

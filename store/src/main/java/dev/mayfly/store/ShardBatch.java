package dev.mayfly.store;

/** A batch for one shard, as part of a commit to several shards. */
public record ShardBatch(Shard shard, Batch batch) {}

package dev.mayfly.mongo;

/** How several servers present themselves to drivers. */
public enum ClusterTopology {
  /** As routers of a sharded cluster: a driver uses all hosts of its connection string. */
  SHARDED,
  /** As a replica set whose primary is the server with the lowest slot. */
  REPLICA_SET
}

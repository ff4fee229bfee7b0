package dev.mayfly.cluster;

/** Kind of a request that one server sends to another. */
public enum RelayKind {
  /** A message of a MongoDB client. */
  MONGO,
  /** A request of a Cosmos DB client. */
  COSMOS,
  /** A request of an operator: admin API, console, metrics. */
  ADMIN,
  /** A request of the cluster itself. */
  CLUSTER
}

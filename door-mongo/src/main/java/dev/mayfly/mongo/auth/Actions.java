package dev.mayfly.mongo.auth;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What MongoDB calls the things that a privilege can allow. */
final class Actions {
  /** All there are: those that are asked for here, and others that only MongoDB's servers have. */
  static final Set<String> KNOWN = known();

  private Actions() {}

  private static Set<String> known() {
    Set<String> known = new TreeSet<>(BuiltinRole.actions());
    known.addAll(
        List.of(
            "addShard",
            "analyze",
            "analyzeShardKey",
            "anyAction",
            "applicationMessage",
            "applyOps",
            "authSchemaUpgrade",
            "changeOwnCustomData",
            "changeOwnPassword",
            "checkMetadataConsistency",
            "cleanupOrphaned",
            "clearJumboFlag",
            "closeAllDatabases",
            "connPoolSync",
            "dropConnections",
            "enableSharding",
            "exportCollection",
            "flushRouterConfig",
            "getClusterParameter",
            "getShardMap",
            "getShardVersion",
            "importCollection",
            "internal",
            "listClusterCatalog",
            "moveChunk",
            "moveCollection",
            "planCacheIndexFilter",
            "querySettings",
            "queryStatsRead",
            "queryStatsReadTransformed",
            "refineCollectionShardKey",
            "removeShard",
            "replSetHeartbeat",
            "reshardCollection",
            "resync",
            "rotateCertificates",
            "setClusterParameter",
            "shardingState",
            "splitChunk",
            "splitVector",
            "touch"));
    return Set.copyOf(known);
  }
}

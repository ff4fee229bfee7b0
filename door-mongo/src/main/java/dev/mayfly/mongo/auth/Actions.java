package dev.mayfly.mongo.auth;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The names of MongoDB's privilege actions. */
final class Actions {
  /** All actions that a privilege may contain, also those that no command of Mayfly requires. */
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

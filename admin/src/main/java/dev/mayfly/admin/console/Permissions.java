package dev.mayfly.admin.console;

import dev.mayfly.engine.Namespace;
import java.util.List;
import java.util.Map;

/**
 * What a user needs for a request: a privilege of the MongoDB door on the collection in the path or
 * on the server. A container needs a user that may do everything. The commands that a request runs
 * are checked again by the door.
 */
final class Permissions {
  /**
   * Requirement of a request.
   *
   * @param changes whether it changes something
   * @param action privilege; empty for none
   * @param onCluster whether the privilege is on the server, not on a collection
   */
  private record Need(boolean changes, String action, boolean onCluster) {
    static Need login() {
      return new Need(false, "", true);
    }

    static Need reads(String action) {
      return new Need(false, action, false);
    }

    static Need changes(String action) {
      return new Need(true, action, false);
    }

    static Need watches(String action) {
      return new Need(false, action, true);
    }

    static Need operates(String action) {
      return new Need(true, action, true);
    }
  }

  /** The privilege that only the role root has. */
  private static final String ALL = "*";

  private static final String COLLECTION = "/collections/*/*";

  private static final Map<String, Need> NEEDS =
      Map.ofEntries(
          Map.entry("GET /collections", Need.login()),
          Map.entry("GET " + COLLECTION, Need.reads("collStats")),
          Map.entry("GET " + COLLECTION + "/forecast", Need.reads("collStats")),
          Map.entry("POST " + COLLECTION + "/forecast", Need.reads("collStats")),
          Map.entry("POST " + COLLECTION + "/what-if", Need.reads("collStats")),
          Map.entry("GET " + COLLECTION + "/undo", Need.reads("collStats")),
          Map.entry("GET " + COLLECTION + "/rules", Need.reads("collStats")),
          Map.entry("GET " + COLLECTION + "/health", Need.reads("collStats")),
          Map.entry("POST " + COLLECTION + "/lives", Need.reads("find")),
          Map.entry("POST " + COLLECTION + "/soonest", Need.reads("find")),
          Map.entry("POST " + COLLECTION + "/export", Need.reads("find")),
          Map.entry("POST " + COLLECTION + "/feed", Need.reads("changeStream")),
          Map.entry("POST " + COLLECTION + "/ttl", Need.changes("collMod")),
          Map.entry("POST " + COLLECTION + "/undo", Need.changes("collMod")),
          Map.entry("POST " + COLLECTION + "/import", Need.changes("insert")),
          Map.entry("POST " + COLLECTION + "/save", Need.changes("update")),
          Map.entry("POST " + COLLECTION + "/insert", Need.changes("insert")),
          Map.entry("POST " + COLLECTION + "/remove", Need.changes("remove")),
          // the doors check the commands in these, and MongoRequests and CosmosRequests read-only
          Map.entry("POST /mongo", Need.login()),
          Map.entry("POST /cosmos", Need.watches(ALL)),
          Map.entry("POST /cancel", Need.login()),
          Map.entry("POST /feed", Need.login()),
          Map.entry("POST /sample", new Need(true, "", true)),
          Map.entry("GET /status", Need.login()),
          Map.entry("GET /clock", Need.login()),
          Map.entry("GET /connect", Need.login()),
          Map.entry("POST /key", Need.watches(ALL)),
          Map.entry("GET /history", Need.watches("serverStatus")),
          Map.entry("GET /slow", Need.watches("serverStatus")),
          Map.entry("GET /settings", Need.watches("getCmdLineOpts")),
          Map.entry("GET /sweep", Need.watches("serverStatus")),
          Map.entry("GET /alarms", Need.watches("serverStatus")),
          Map.entry("POST /sweep/pause", Need.operates("setParameter")),
          Map.entry("POST /sweep/resume", Need.operates("setParameter")),
          Map.entry("POST /clock", Need.operates(ALL)),
          Map.entry("POST /clock/confirm", Need.operates(ALL)),
          Map.entry("POST /backup", Need.operates("fsync")),
          Map.entry("GET /users", Need.watches(ALL)),
          Map.entry("GET /queries", Need.login()),
          Map.entry("PUT /queries/*", new Need(true, "", true)),
          Map.entry("DELETE /queries/*", new Need(true, "", true)));

  /** A request that is not in the table needs all privileges. */
  private static final Need UNKNOWN = Need.operates(ALL);

  private Permissions() {}

  /**
   * Fails if a user may not send a request.
   *
   * @param segments of the path
   * @param readOnly whether the console may only read
   */
  static void check(Caller caller, String method, List<String> segments, boolean readOnly) {
    Need need = UNKNOWN;
    for (Map.Entry<String, Need> entry : NEEDS.entrySet()) {
      if (Patterns.fits(entry.getKey(), method, segments)) {
        need = entry.getValue();
      }
    }
    if (need.changes() && readOnly) {
      throw Refusal.readOnly();
    }
    if (!meets(caller, need, segments)) {
      throw Refusal.forbidden(
          "This needs "
              + (need.action().equals(ALL) ? "the role root" : "the privilege " + need.action())
              + (need.onCluster() ? "" : " on " + namespace(segments))
              + ", which the roles of your user do not include.");
    }
  }

  private static boolean meets(Caller caller, Need need, List<String> segments) {
    return switch (need.action()) {
      case "" -> true;
      case ALL -> caller.mayEverything();
      case String action when need.onCluster() -> caller.session().mayOnCluster(action);
      case String action -> caller.may(action, namespace(segments));
    };
  }

  private static Namespace namespace(List<String> segments) {
    return new Namespace(segments.get(1), segments.get(2));
  }
}

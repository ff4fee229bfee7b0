package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** Operation types of MongoDB's {@code opcounters}. */
enum Kind {
  INSERT("insert", "insert"),
  QUERY("query", "query"),
  UPDATE("update", "update"),
  DELETE("delete", "remove"),
  GETMORE("getmore", "getmore"),
  COMMAND("command", "command");

  private final String counterName;
  private final String opName;

  Kind(String counterName, String opName) {
    this.counterName = counterName;
    this.opName = opName;
  }

  /** The name in {@code opcounters}. */
  String counterName() {
    return counterName;
  }

  /** The name in {@code currentOp} and the profile. */
  String opName() {
    return opName;
  }

  boolean reads() {
    return this == QUERY || this == GETMORE;
  }

  boolean writes() {
    return this == INSERT || this == UPDATE || this == DELETE;
  }

  static Kind of(Request request) {
    return switch (request.name()) {
      case "insert" -> INSERT;
      case "find" -> QUERY;
      case "update" -> UPDATE;
      case "delete" -> DELETE;
      case "getMore" -> GETMORE;
      default -> COMMAND;
    };
  }

  /**
   * Returns the namespace of a request: the target or field {@code collection}, else {@code $cmd}.
   */
  static String namespace(Request request) {
    Value target = request.target();
    if (target.type() != Type.STRING) {
      target = request.field("collection");
    }
    String collection = target.type() == Type.STRING ? target.asString() : "$cmd";
    return request.database() + "." + collection;
  }
}

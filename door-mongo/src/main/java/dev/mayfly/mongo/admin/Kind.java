package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** What MongoDB counts operations as, whatever command they come by. */
enum Kind {
  INSERT("insert", "insert"),
  QUERY("query", "query"),
  UPDATE("update", "update"),
  DELETE("delete", "remove"),
  GETMORE("getmore", "getmore"),
  COMMAND("command", "command");

  private final String counted;
  private final String shown;

  Kind(String counted, String shown) {
    this.counted = counted;
    this.shown = shown;
  }

  /** Its name among the counters. */
  String counted() {
    return counted;
  }

  /** Its name in currentOp and the profile. */
  String shown() {
    return shown;
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

  /** The namespace a request is about, as far as it can be told from outside. */
  static String namespace(Request request) {
    Value target = request.target();
    if (target.type() != Type.STRING) {
      target = request.field("collection");
    }
    String collection = target.type() == Type.STRING ? target.asString() : "$cmd";
    return request.database() + "." + collection;
  }
}

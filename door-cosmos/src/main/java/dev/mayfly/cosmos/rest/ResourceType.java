package dev.mayfly.cosmos.rest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The kinds of resources, by the word that stands for them in a path. */
public enum ResourceType {
  /** The account itself: the empty path. */
  ACCOUNT(""),
  DATABASE("dbs"),
  CONTAINER("colls"),
  ITEM("docs"),
  ATTACHMENT("attachments"),
  /** What was uploaded to an attachment; the id tells which. */
  MEDIA("media"),
  PARTITION_KEY_RANGE("pkranges"),
  OFFER("offers"),
  USER("users"),
  PERMISSION("permissions"),
  STORED_PROCEDURE("sprocs"),
  TRIGGER("triggers"),
  FUNCTION("udfs"),
  CONFLICT("conflicts"),
  CLIENT_KEY("clientencryptionkeys"),
  /** What is done to a container as a whole; the id is the operation. */
  OPERATION("operations"),
  /** What will expire, and when. */
  FORECAST("forecast"),
  /** What a change would expire. */
  WHAT_IF("whatif"),
  /** Takes a change of time to live back. */
  UNDO("undo");

  private static final Map<String, ResourceType> BY_WORD = new HashMap<>();

  static {
    for (ResourceType type : values()) {
      BY_WORD.put(type.word, type);
    }
  }

  private final String word;

  ResourceType(String word) {
    this.word = word;
  }

  /** As paths have it. */
  public String word() {
    return word;
  }

  static Optional<ResourceType> of(String word) {
    return Optional.ofNullable(BY_WORD.get(word));
  }
}

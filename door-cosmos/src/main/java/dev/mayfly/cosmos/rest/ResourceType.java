package dev.mayfly.cosmos.rest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Types of resources, with their path segments. */
public enum ResourceType {
  /** The account itself: the empty path. */
  ACCOUNT(""),
  DATABASE("dbs"),
  CONTAINER("colls"),
  ITEM("docs"),
  ATTACHMENT("attachments"),
  /** Content of an attachment, by its id. */
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
  /** Operation on a container as a whole; the id is its name. */
  OPERATION("operations"),
  /** Forecast of expiry. */
  FORECAST("forecast"),
  /** Explanation of the expiry of items. */
  LIVES("lives"),
  /** Warnings before expiry, Mayfly's own. */
  WARNINGS("warnings"),
  /** Other deadlines for items. */
  TOUCH("touch"),
  /** Items that a change of time to live would expire. */
  WHAT_IF("whatif"),
  /** Undoes a change of time to live. */
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

  /** Returns the path segment. */
  public String word() {
    return word;
  }

  static Optional<ResourceType> of(String word) {
    return Optional.ofNullable(BY_WORD.get(word));
  }
}

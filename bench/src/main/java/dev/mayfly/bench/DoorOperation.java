package dev.mayfly.bench;

/** Measured operations of {@link MongoBench}, in the order of its table. */
enum DoorOperation {
  INSERT("insert"),
  /** The same with write concern {@code j: true}: the reply waits for the flush of the log. */
  JOURNALED_INSERT("insert-j"),
  /** Ids in random order: each insert has to look for an existing document. */
  SCATTERED("scattered"),
  /** {@code insertMany} of 100 documents with random ids. */
  BULK("bulk"),
  FIND("find"),
  /** Ten documents through an index. */
  TEN("ten"),
  UPDATE("update"),
  JOURNALED_UPDATE("update-j"),
  RANGE("range"),
  GROUP("group"),
  /** Groups documents that were updated. */
  REGROUP("regroup");

  private final String label;

  DoorOperation(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** Returns whether it adds documents. */
  boolean inserts() {
    return switch (this) {
      case INSERT, JOURNALED_INSERT, SCATTERED, BULK -> true;
      case FIND, TEN, UPDATE, JOURNALED_UPDATE, RANGE, GROUP, REGROUP -> false;
    };
  }
}

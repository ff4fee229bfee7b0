package dev.mayfly.cosmos.item;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.Optional;

/** Operation on one item, single or in a batch. */
sealed interface ItemOperation {
  /** Creates an item; fails if the id exists. */
  record Create(Document item) implements ItemOperation {}

  /**
   * Creates or replaces an item.
   *
   * @param version required version of an existing item
   */
  record Upsert(Document item, long version) implements ItemOperation {}

  /** Replaces an item. */
  record Replace(Document item, long version) implements ItemOperation {}

  /** Replaces an item and changes its id. */
  record Rename(DocumentKey from, Document item, long version) implements ItemOperation {}

  /** Patches an item. */
  record Change(DocumentKey key, Patch patch, long version) implements ItemOperation {}

  /**
   * Reads an item.
   *
   * @param known version that the client has
   */
  record Read(DocumentKey key, long known) implements ItemOperation {}

  /** Deletes an item. */
  record Delete(DocumentKey key, long version) implements ItemOperation {}

  /**
   * Result of an operation.
   *
   * @param stored the item after the operation; empty if it was deleted
   */
  record Done(int status, Optional<StoredDocument> stored) {
    static final int OK = 200;
    static final int CREATED = 201;
    static final int NO_CONTENT = 204;
    static final int NOT_MODIFIED = 304;
  }

  /** Returns the operation with the item excluded from the index. */
  default ItemOperation unindexed() {
    return switch (this) {
      case Create(Document item) -> new Create(UnindexedFlag.marked(item));
      case Upsert(Document item, long version) -> new Upsert(UnindexedFlag.marked(item), version);
      case Replace(Document item, long version) -> new Replace(UnindexedFlag.marked(item), version);
      case Rename(DocumentKey from, Document item, long version) ->
          new Rename(from, UnindexedFlag.marked(item), version);
      case Change(DocumentKey key, Patch patch, long version) ->
          new Change(key, patch.unindexed(), version);
      case Read _, Delete _ -> this;
    };
  }

  /** Returns the writes for the engine, atomic; a read is an update that changes nothing. */
  default List<Write> writes() {
    return switch (this) {
      case Create(Document item) -> List.of(new Write.Insert(item));
      case Upsert(Document item, long version) -> List.of(new Write.Upsert(item, version));
      case Replace(Document item, long version) -> List.of(new Write.Replace(item, version));
      case Rename(DocumentKey from, Document item, long version) ->
          List.of(new Write.Delete(from, version), new Write.InsertRenamed(from, item));
      case Change(DocumentKey key, Patch patch, long version) ->
          List.of(new Write.Touch(key, patch::apply, version));
      case Read(DocumentKey key, _) -> List.of(new Write.Update(key, same -> same));
      case Delete(DocumentKey key, long version) -> List.of(new Write.Delete(key, version));
    };
  }

  /**
   * Returns the result from the outcomes of the writes: the last one, if all succeeded.
   *
   * @throws dev.mayfly.engine.EngineException if one failed
   */
  default Done done(List<WriteOutcome> outcomes) {
    failure(outcomes)
        .ifPresent(
            failure -> {
              throw failure;
            });
    return switch (outcomes.getLast()) {
      case WriteOutcome.Inserted(StoredDocument stored) ->
          new Done(this instanceof Rename ? Done.OK : Done.CREATED, Optional.of(stored));
      case WriteOutcome.Updated(_, StoredDocument stored) -> new Done(Done.OK, Optional.of(stored));
      case WriteOutcome.Unchanged(StoredDocument stored) -> read(stored);
      case WriteOutcome.Deleted _ -> new Done(Done.NO_CONTENT, Optional.empty());
      case WriteOutcome.Failed _, WriteOutcome.Skipped _, WriteOutcome.Repeated _ ->
          throw new IllegalStateException("unexpected outcome: " + outcomes.getLast());
    };
  }

  /** Returns the first failure among outcomes. */
  static Optional<EngineException> failure(List<WriteOutcome> outcomes) {
    for (WriteOutcome outcome : outcomes) {
      if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
        return Optional.of(failure);
      }
    }
    return Optional.empty();
  }

  private Done read(StoredDocument stored) {
    boolean known = this instanceof Read(_, long version) && version == stored.version();
    return new Done(known ? Done.NOT_MODIFIED : Done.OK, Optional.of(stored));
  }

  /** Returns a replacement, or a rename if the item has another id. */
  static ItemOperation replace(DocumentKey key, Document item, long version) {
    return item.field("id").equals(key.id())
        ? new Replace(item, version)
        : new Rename(key, item, version);
  }
}

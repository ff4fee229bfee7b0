package dev.mayfly.cosmos.item;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.Optional;

/** What is to be done to one item, by itself or in a batch. */
sealed interface ItemOperation {
  /** Puts an item where there is none of its id. */
  record Create(Document item) implements ItemOperation {}

  /**
   * Puts an item, whether there is one of its id or not.
   *
   * @param version what one that is there must have
   */
  record Upsert(Document item, long version) implements ItemOperation {}

  /** Puts an item in the place of one. */
  record Replace(Document item, long version) implements ItemOperation {}

  /** Puts an item in the place of one that has another id, which is free from then on. */
  record Rename(DocumentKey from, Document item, long version) implements ItemOperation {}

  /** Changes parts of an item. */
  record Change(DocumentKey key, Patch patch, long version) implements ItemOperation {}

  /**
   * Reads an item.
   *
   * @param known the version that the client has
   */
  record Read(DocumentKey key, long known) implements ItemOperation {}

  /** Takes an item away. */
  record Delete(DocumentKey key, long version) implements ItemOperation {}

  /**
   * What came of it.
   *
   * @param stored the item as it is now; empty when it is gone or the client has it
   */
  record Done(int status, Optional<StoredDocument> stored) {
    static final int OK = 200;
    static final int CREATED = 201;
    static final int NO_CONTENT = 204;
    static final int NOT_MODIFIED = 304;
  }

  /** The same, but the index is to leave the item out. */
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

  /** How the engine does it, all or nothing; reading is an update that leaves all as it is. */
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
   * What the outcomes of its writes mean: that of the last, when all were done.
   *
   * @throws dev.mayfly.engine.EngineException when one failed
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
          throw new IllegalStateException("not done");
    };
  }

  /** Why writes were not done, if one of them failed. */
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

  /** Puts an item in the place of another, whether or not it has its id. */
  static ItemOperation replace(DocumentKey key, Document item, long version) {
    return item.field("id").equals(key.id())
        ? new Replace(item, version)
        : new Rename(key, item, version);
  }
}

package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Outcome;
import dev.mayfly.engine.Stored;
import dev.mayfly.engine.Write;
import dev.mayfly.value.Document;
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
  record Done(int status, Optional<Stored> stored) {
    static final int OK = 200;
    static final int CREATED = 201;
    static final int NO_CONTENT = 204;
    static final int NOT_MODIFIED = 304;
  }

  /** The same, but the index is to leave the item out. */
  default ItemOperation unindexed() {
    return switch (this) {
      case Create(Document item) -> new Create(Unindexed.marked(item));
      case Upsert(Document item, long version) -> new Upsert(Unindexed.marked(item), version);
      case Replace(Document item, long version) -> new Replace(Unindexed.marked(item), version);
      case Change(DocumentKey key, Patch patch, long version) ->
          new Change(key, patch.unindexed(), version);
      case Read _, Delete _ -> this;
    };
  }

  /** How the engine does it; reading is an update that leaves everything as it is. */
  default Write write() {
    return switch (this) {
      case Create(Document item) -> new Write.Insert(item);
      case Upsert(Document item, long version) -> new Write.Upsert(item, version);
      case Replace(Document item, long version) -> new Write.Replace(item, version);
      case Change(DocumentKey key, Patch patch, long version) ->
          new Write.Rewrite(key, patch::apply, version);
      case Read(DocumentKey key, _) -> new Write.Update(key, same -> same);
      case Delete(DocumentKey key, long version) -> new Write.Delete(key, version);
    };
  }

  /**
   * What an outcome of the engine means.
   *
   * @throws dev.mayfly.engine.EngineException when it failed
   */
  default Done done(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Inserted(Stored stored) -> new Done(Done.CREATED, Optional.of(stored));
      case Outcome.Updated(_, Stored stored) -> new Done(Done.OK, Optional.of(stored));
      case Outcome.Unchanged(Stored stored) -> read(stored);
      case Outcome.Deleted _ -> new Done(Done.NO_CONTENT, Optional.empty());
      case Outcome.Failed(var failure) -> throw failure;
      case Outcome.Skipped _, Outcome.Repeated _ -> throw new IllegalStateException("not done");
    };
  }

  private Done read(Stored stored) {
    boolean known = this instanceof Read(_, long version) && version == stored.version();
    return new Done(known ? Done.NOT_MODIFIED : Done.OK, Optional.of(stored));
  }

  /**
   * Checks that an item that is to take a place has its id.
   *
   * @throws Refusal 400
   */
  static void checkId(Document item, String id) {
    if (!item.field("id").asString().equals(id)) {
      throw Refusal.wrong(
          "The id of an item cannot be changed: the body says '"
              + item.field("id").asString()
              + "', the address '"
              + id
              + "'.");
    }
  }
}

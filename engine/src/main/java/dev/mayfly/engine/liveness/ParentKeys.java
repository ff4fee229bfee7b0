package dev.mayfly.engine.liveness;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.ExpiresWith;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys of the parents of documents: the id is the value of a field, the partition key values are
 * those of the child. Immutable.
 */
public final class ParentKeys {
  private final CollectionSpec children;
  private final CollectionSpec parents;
  private final FieldPath field;

  /**
   * @param children the collection that follows
   */
  public ParentKeys(CollectionSpec children, CollectionSpec parents) {
    this.children = children;
    this.parents = parents;
    this.field = children.expiresWith().map(ExpiresWith::field).orElseThrow();
  }

  /** Returns the primary key of the parent of a document; null if it can have none. */
  public @Nullable PrimaryKey of(Document child) {
    Value id = child.at(field);
    if (id.isMissing() || id.isArray()) {
      return null;
    }
    List<FieldPath> paths = children.partitionKey();
    try {
      return PrimaryKey.of(
          parents,
          new DocumentKey(paths.isEmpty() ? List.of() : DocumentKey.partition(child, paths), id));
    } catch (EngineException notAnId) {
      return null;
    }
  }

  /** The fields of a child that its key depends on. */
  public RootFields fields() {
    RootFields all = RootFields.of(field);
    for (FieldPath path : children.partitionKey()) {
      all = all.and(RootFields.of(path));
    }
    return all;
  }
}

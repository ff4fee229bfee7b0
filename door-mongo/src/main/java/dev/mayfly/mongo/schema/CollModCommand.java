package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.HashSet;
import java.util.Set;

/**
 * {@code collMod}: changes an index, a TTL, a validator, a view, the limits of a capped collection
 * or the grace period.
 */
public final class CollModCommand implements Command {
  private static final String DRY_RUN = "dryRun";

  private final Namespaces namespaces;
  private final IndexUsage indexUsage;
  private final Set<String> fields;

  public CollModCommand(Namespaces namespaces, IndexUsage indexUsage) {
    this.namespaces = namespaces;
    this.indexUsage = indexUsage;
    this.fields = new HashSet<>(Modification.FIELDS);
    this.fields.add(GuardedAlter.GUARD);
    this.fields.add(DRY_RUN);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(fields);
    Namespace namespace = request.namespace();
    Names.checkWritable(namespace);
    Found found =
        namespaces
            .find(namespace)
            .orElseThrow(
                () -> new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist"));
    Section section = new Section(request.name(), request.body());
    Modification modification = Modification.of(namespaces, found, section, request.now());
    Collection collection = found.collection();
    for (IndexModification index : modification.index()) {
      if (index.makesUnique()) {
        // prepareUnique prevents new duplicates meanwhile
        DuplicateKeyScan.check(request, collection, index.spec(found.spec()));
      }
    }
    if (request.flag(DRY_RUN, false)) {
      checkDryRun(modification);
      return;
    }
    Usage expired =
        GuardedAlter.apply(request, collection, modification.change(), modification.expires());
    for (IndexModification index : modification.index()) {
      if (index.makesUnique()) {
        awaitUnique(collection, index);
      }
      indexUsage.of(collection, request.now()).restart(index.index().name(), request.now());
      index.writeTo(reply);
    }
    GuardedAlter.writeExpired(request, modification.expires(), expired, reply);
  }

  private static void checkDryRun(Modification modification) {
    if (modification.index().stream().noneMatch(IndexModification::isUniqueOnly)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "dryRun is only for an index with unique: true and no other change");
    }
  }

  /** Waits until the index is unique. If that fails, restores the index as it was. */
  private static void awaitUnique(Collection collection, IndexModification index) {
    try {
      collection.awaitBuilt(index.index().name());
    } catch (EngineException failure) {
      collection.alter(spec -> Indexes.added(Indexes.dropped(spec, index.index()), index.index()));
      collection.awaitBuilt(index.index().name());
      throw failure.reason() == EngineException.Reason.DUPLICATE_KEY
          ? new CommandException(
              new ErrorCode(359, "CannotConvertIndexToUnique"),
              "Cannot convert the index to unique. Please resolve conflicting documents before"
                  + " running collMod again.")
          : failure;
    }
  }
}

package dev.mayfly.mongo.schema;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import java.util.Optional;
import java.util.Set;

/** {@code renameCollection}: renames a collection, within a database or to another database. */
public final class RenameCollectionCommand implements Command {
  private final Namespaces namespaces;

  public RenameCollectionCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("to", "dropTarget", "stayTemp", "collectionUUID"));
    Section fields = new Section(request.name(), request.body());
    fields.required("to");
    String target = fields.text("to");
    boolean replace =
        request.field("dropTarget").type() != Type.BINARY && request.flag("dropTarget", false);
    if (!request.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "renameCollection may only be run against the admin database.");
    }
    rename(Names.full(fields.text(request.name())), Names.full(target), replace);
  }

  private void rename(Namespace from, Namespace to, boolean replace) {
    if (from.equals(to)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Can't rename a collection to itself");
    }
    Found source =
        namespaces
            .find(from)
            .orElseThrow(
                () ->
                    new CommandException(
                        ErrorCode.NAMESPACE_NOT_FOUND,
                        "Source collection " + from + " does not exist"));
    if (source.isView()) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, "cannot rename view: " + from);
    }
    Names.checkWritable(from);
    Names.checkWritable(to);
    Optional<Found> existing = namespaces.find(to);
    if (existing.isPresent() && existing.get().isView()) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS, "a view already exists with that name: " + to);
    }
    try {
      namespaces.engine().rename(from, to, replace);
    } catch (EngineException failure) {
      throw failure.reason() == EngineException.Reason.COLLECTION_EXISTS
          ? new CommandException(ErrorCode.NAMESPACE_EXISTS, "target namespace exists")
          : failure;
    }
  }
}

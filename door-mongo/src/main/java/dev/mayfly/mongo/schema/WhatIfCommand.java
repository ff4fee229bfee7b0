package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * {@code mayflyWhatIf}: counts the documents that a change would expire at once, without making it.
 *
 * <p>The change is given as for the real command: {@code indexes} as in {@code createIndexes}, or
 * {@code collMod} with the fields of that command.
 */
public final class WhatIfCommand implements Command {
  private final Namespaces namespaces;

  public WhatIfCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("indexes", "collMod"));
    Namespace namespace = request.namespace();
    Found found = namespaces.collection(namespace, "ns does not exist: " + namespace);
    reply.put("ns", namespace.toString()).startDocument("expiresNow");
    found
        .collection()
        .expiry(request.operation())
        .whatIf(change(request, found))
        .write(reply, ForecastExpiryCommand.DOCUMENTS);
    reply.end();
  }

  private UnaryOperator<CollectionSpec> change(Request request, Found found) {
    if (request.has("indexes") == request.has("collMod")) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "mayflyWhatIf takes either 'indexes' or 'collMod'");
    }
    if (request.has("indexes")) {
      return CreateIndexesCommand.plan(
              found.collection().namespace(), request.documents("indexes"), Optional.of(found))
          ::added;
    }
    Section section =
        new Section("collMod", request.document("collMod")).allow(Modification.FIELDS);
    return Modification.of(namespaces, found, section, request.now()).change();
  }
}

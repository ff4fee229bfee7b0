package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Outcome;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.collection.DuplicateKey;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.DocumentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * {@code cloneCollectionAsCapped}: copies the documents of a collection into a new one that is
 * capped, in their natural order; those that do not fit are gone again, oldest first.
 */
public final class CloneCollectionAsCapped implements Command {
  private static final int GROUP = 500;

  private final Namespaces namespaces;

  public CloneCollectionAsCapped(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("toCollection", "size", "capacity", "temp"));
    Namespace from = request.namespace();
    Namespace to = Names.namespace(from.database(), request.text("toCollection", ""));
    Collection source =
        namespaces
            .collection(
                from, "cloneCollectionAsCapped: source collection " + from + " does not exist")
            .collection();
    if (namespaces.find(to).isPresent()) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS,
          "cloneCollectionAsCapped failed - destination collection "
              + to
              + " already exists. source"
              + " collection: "
              + from);
    }
    long bytes = Cap.bytes(request.number("size", 0), "cloneCollectionAsCapped.size");
    Collection target =
        namespaces.engine().create(to, Namespaces.PLAIN.withCap(bytes, Cap.documents(0)));
    try {
      copy(request, source, target);
    } catch (RuntimeException stopped) {
      namespaces.engine().drop(to);
      throw stopped;
    }
  }

  private static void copy(Request request, Collection source, Collection target) {
    List<Write> group = new ArrayList<>();
    try (Cursor cursor = source.query(Query.of(Filter.all(), Mode.MATCH))) {
      while (cursor.next()) {
        request.check();
        group.add(new Write.Insert(cursor.document()));
        if (group.size() == GROUP) {
          write(group, target);
        }
      }
    }
    if (!group.isEmpty()) {
      write(group, target);
    }
  }

  private static void write(List<Write> group, Collection target) {
    for (Outcome outcome : target.write(group, Grouping.ORDERED, Durability.LOGGED).outcomes()) {
      if (outcome instanceof Outcome.Failed(EngineException failure)) {
        throw DuplicateKey.translate(failure, target.namespace(), target.spec());
      }
    }
    group.clear();
  }
}

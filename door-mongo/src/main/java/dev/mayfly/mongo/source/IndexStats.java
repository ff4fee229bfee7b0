package dev.mayfly.mongo.source;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code $indexStats}: one row for each index of a collection, with the number of its uses. */
final class IndexStats implements ServerStages.Source {
  private final String host;
  private final Namespaces namespaces;
  private final IndexUsage indexUsage;

  IndexStats(String host, Namespaces namespaces, IndexUsage indexUsage) {
    this.host = host;
    this.namespaces = namespaces;
    this.indexUsage = indexUsage;
  }

  @Override
  public Rows rows(Request request, Target target, Document specification) {
    new Section("$indexStats", specification).allow(Set.of());
    Namespace namespace = Names.namespace(target.database(), target.collection());
    Optional<Found> found = namespaces.find(namespace).map(Found::asCollection);
    return found.isPresent() ? Rows.of(rows(found.get(), request.now())) : Rows.none();
  }

  private List<Document> rows(Found found, long now) {
    IndexUsage.OfCollection used = indexUsage.of(found.collection(), now);
    return Indexes.of(found.spec()).stream().map(index -> row(index, used)).toList();
  }

  private Document row(IndexForm index, IndexUsage.OfCollection used) {
    return Document.writer()
        .put("name", index.name())
        .put("key", index.key())
        .put("host", host)
        .startDocument("accesses")
        .put("ops", used.of(index.name()))
        .put("since", Value.date(used.since(index.name())))
        .end()
        .put("spec", index.description())
        .build();
  }
}

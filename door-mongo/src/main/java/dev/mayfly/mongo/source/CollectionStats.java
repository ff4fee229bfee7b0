package dev.mayfly.mongo.source;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.admin.Totals;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.collection.Sizes;
import dev.mayfly.mongo.collection.StorageStats;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/** {@code $collStats}: one row with the requested statistics of a collection. */
final class CollectionStats implements ServerStages.Source {
  private static final Set<String> FIELDS =
      Set.of("latencyStats", "storageStats", "count", "queryExecStats");

  private final String host;
  private final Namespaces namespaces;
  private final IndexUsage indexUsage;
  private final Totals totals;

  CollectionStats(String host, Namespaces namespaces, IndexUsage indexUsage, Totals totals) {
    this.host = host;
    this.namespaces = namespaces;
    this.indexUsage = indexUsage;
    this.totals = totals;
  }

  @Override
  public Rows rows(Request request, Target target, Document specification) {
    Section section = new Section("$collStats", specification).allow(FIELDS);
    Namespace namespace = Names.namespace(target.database(), target.collection());
    DocumentWriter row =
        Document.writer()
            .put("ns", namespace.toString())
            .put("host", host)
            .put("localTime", Value.date(request.now()));
    if (section.has("latencyStats")) {
      latency(section, namespace, row);
    }
    if (section.has("storageStats")) {
      storage(request, section, found(namespace, "storageStats"), row);
    }
    if (section.has("count")) {
      row.put(
          "count",
          Sizes.number(
              found(namespace, "count").collection().usage(request.operation()).documents()));
    }
    if (section.has("queryExecStats")) {
      scans(found(namespace, "queryExecStats"), request.now(), row);
    }
    return Rows.of(List.of(row.build()));
  }

  private Found found(Namespace namespace, String section) {
    return namespaces.collection(
        namespace,
        "Unable to retrieve "
            + section
            + " in $collStats stage :: caused by :: Collection ["
            + namespace
            + "] not found.");
  }

  private void latency(Section section, Namespace namespace, DocumentWriter row) {
    Section options =
        new Section("$collStats.latencyStats", section.document("latencyStats"))
            .allow(Set.of("histograms"));
    row.startDocument("latencyStats");
    totals.writeLatency(namespace.toString(), options.flag("histograms"), row);
    row.end();
  }

  private static void storage(Request request, Section section, Found found, DocumentWriter row) {
    Section options =
        new Section("$collStats.storageStats", section.document("storageStats"))
            .allow(Set.of("scale", "verbose", "waitForLock", "numericOnly"));
    long scale = Sizes.scale(options.has("scale") ? options.number("scale") : 1);
    row.startDocument("storageStats");
    StorageStats.of(request.operation(), found).write(scale, row);
    row.end();
  }

  private void scans(Found found, long now, DocumentWriter row) {
    long scans = indexUsage.of(found.collection(), now).scans();
    row.startDocument("queryExecStats")
        .startDocument("collectionScans")
        .put("total", scans)
        .put("nonTailable", scans)
        .end()
        .end();
  }
}

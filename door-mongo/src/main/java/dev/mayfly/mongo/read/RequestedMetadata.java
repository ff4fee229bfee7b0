package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.FoundRows;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.parser.GeoSyntax;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.parser.pipeline.GeoNearStage;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.query.geo.NearQuery;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The {@code returnKey}, {@code showRecordId} and {@code $meta} that a request uses.
 *
 * @param keys whether the index key is returned instead of the document
 * @param numbers whether the record id is added to the document
 * @param metadata the {@code $meta} names in expressions
 */
record RequestedMetadata(boolean keys, boolean numbers, Set<String> metadata) {
  private static final String NUMBER = "$recordId";

  RequestedMetadata {
    metadata = Set.copyOf(metadata);
  }

  /** The metadata of a request whose projection was parsed with these variables. */
  static RequestedMetadata of(Request request, Variables variables) {
    return new RequestedMetadata(
        request.flag("returnKey", false),
        request.flag("showRecordId", false),
        variables.metadata());
  }

  /** Whether no metadata is requested. */
  boolean nothing() {
    return !keys && !numbers && metadata.isEmpty();
  }

  /** The {@code $meta} names that are available for a query. */
  static Set<String> known(Query query) {
    Set<String> known = new HashSet<>(Set.of("recordId", "indexKey"));
    if (!query.order().isEmpty()) {
      known.add("sortKey");
    }
    if (GeoSyntax.nearness(query.filter()).isPresent()) {
      known.add("geoNearDistance");
      known.add("geoNearPoint");
    }
    return known;
  }

  /** The {@code $meta} names that are available in some stage of a pipeline. */
  static Set<String> known(List<Document> stages) {
    Set<String> known = new HashSet<>(Set.of("recordId", "indexKey"));
    if (stages.stream().anyMatch(stage -> !stage.field("$sort").isMissing())) {
      known.add("sortKey");
    }
    if (GeoNearStage.begins(stages)) {
      known.add("geoNearDistance");
      known.add("geoNearPoint");
    }
    return known;
  }

  /** Adds the record id if it is requested and {@code returnKey} is not. */
  Document numbered(Document document, FoundRows at) {
    if (!numbers || keys) {
      return document;
    }
    DocumentWriter all = Document.writer();
    var fields = document.fields();
    while (fields.next()) {
      all.put(fields);
    }
    return all.put(NUMBER, at.number()).build();
  }

  /**
   * The requested metadata of the current document by {@code $meta} name.
   *
   * @param unit factor for reported distances
   */
  Document metadata(FoundRows at, Query query, double unit) {
    DocumentWriter values = Document.writer();
    if (metadata.contains("recordId")) {
      values.put("recordId", at.number());
    }
    if (metadata.contains("indexKey")) {
      values.put("indexKey", at.indexKey());
    }
    if (metadata.contains("sortKey") && !query.order().isEmpty()) {
      DocumentComparator order = new DocumentComparator(query.order(), query.mode());
      values.put("sortKey", Value.array(order.values(at.current())));
    }
    nearest(at.current(), query)
        .ifPresent(
            near ->
                values
                    .put("geoNearDistance", near.distance() * unit)
                    .put("geoNearPoint", near.place()));
    return values.build();
  }

  private Optional<NearQuery.Found> nearest(Document document, Query query) {
    if (!metadata.contains("geoNearDistance") && !metadata.contains("geoNearPoint")) {
      return Optional.empty();
    }
    Filter.Geo place = GeoSyntax.nearness(query.filter()).orElseThrow();
    return place.region().nearness().orElseThrow().nearest(document, place.path());
  }
}

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
 * What {@code find} is to tell of documents beside their fields.
 *
 * @param keys whether the key of the index is shown in the place of the document
 * @param numbers whether a document is shown with its number
 * @param metadata what expressions want to know
 */
record RequestedMetadata(boolean keys, boolean numbers, Set<String> metadata) {
  private static final String NUMBER = "$recordId";

  RequestedMetadata {
    metadata = Set.copyOf(metadata);
  }

  /** What a request asks for whose projection has been parsed with these variables. */
  static RequestedMetadata of(Request request, Variables variables) {
    return new RequestedMetadata(
        request.flag("returnKey", false),
        request.flag("showRecordId", false),
        variables.metadata());
  }

  /** True when documents are shown for themselves. */
  boolean nothing() {
    return !keys && !numbers && metadata.isEmpty();
  }

  /** What can be told about the documents that a query finds. */
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

  /** What can be told somewhere about the documents that stages are given. */
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

  /** A document with its number, if numbers are shown, and not keys alone. */
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
   * What is known of the document that was found, by the names that expressions use.
   *
   * @param unit how much a distance of one is to be told as
   */
  Document metadata(FoundRows at, Query query, double unit) {
    DocumentWriter told = Document.writer();
    if (metadata.contains("recordId")) {
      told.put("recordId", at.number());
    }
    if (metadata.contains("indexKey")) {
      told.put("indexKey", at.indexKey());
    }
    if (metadata.contains("sortKey") && !query.order().isEmpty()) {
      DocumentComparator order = new DocumentComparator(query.order(), query.mode());
      told.put("sortKey", Value.array(order.values(at.current())));
    }
    nearest(at.current(), query)
        .ifPresent(
            near ->
                told.put("geoNearDistance", near.distance() * unit)
                    .put("geoNearPoint", near.place()));
    return told.build();
  }

  private Optional<NearQuery.Found> nearest(Document document, Query query) {
    if (!metadata.contains("geoNearDistance") && !metadata.contains("geoNearPoint")) {
      return Optional.empty();
    }
    Filter.Geo place = GeoSyntax.nearness(query.filter()).orElseThrow();
    return place.region().nearness().orElseThrow().nearest(document, place.path());
  }
}

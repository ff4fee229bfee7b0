package dev.mayfly.mongo.read;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Explanation.Access;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.index.ValueRange;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mql.parser.GeoSyntax;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Query;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/** Writes the plan of a query in the form of explain. */
final class PlanForm {
  private static final long NOT_COUNTED = -1;

  private final ExplainTarget target;
  private final CollectionSpec collection;
  private final Query query;
  private final Explanation explanation;
  private final long returned;
  private final long millis;

  PlanForm(ExplainTarget target, CollectionSpec collection, Query query, Explanation explanation) {
    this(target, collection, query, explanation, NOT_COUNTED, 0);
  }

  private PlanForm(
      ExplainTarget target,
      CollectionSpec collection,
      Query query,
      Explanation explanation,
      long returned,
      long millis) {
    this.target = target;
    this.collection = collection;
    this.query = query;
    this.explanation = explanation;
    this.returned = returned;
    this.millis = millis;
  }

  /** The same plan with the counters of each stage, after a number of documents was returned. */
  PlanForm counted(long documents, long inMillis) {
    return new PlanForm(target, collection, query, explanation, documents, inMillis);
  }

  private PlanForm uncounted() {
    return counted(NOT_COUNTED, 0);
  }

  /** The stages of the plan, the last one outermost. */
  Document stages() {
    Document plan = access();
    if (explanation.sorts()) {
      long wanted =
          query.limit() > Long.MAX_VALUE - query.skip()
              ? Long.MAX_VALUE
              : query.skip() + query.limit();
      DocumentWriter sort =
          stage("SORT", Math.min(wanted, explanation.documentsMatched()))
              .put("sortPattern", target.sort())
              .put("type", "simple");
      if (query.limit() != Query.NO_LIMIT) {
        sort.put("limitAmount", query.limit());
      }
      plan = sort.put("inputStage", plan).build();
    }
    if (query.skip() > 0) {
      plan = stage("SKIP").put("skipAmount", query.skip()).put("inputStage", plan).build();
    }
    if (!target.projection().isEmpty()) {
      plan =
          stage(picks(target.projection()) ? "PROJECTION_SIMPLE" : "PROJECTION_DEFAULT")
              .put("transformBy", target.projection())
              .put("inputStage", plan)
              .build();
    }
    if (query.limit() != Query.NO_LIMIT && !explanation.sorts() && target.doing().isEmpty()) {
      plan = stage("LIMIT").put("limitAmount", query.limit()).put("inputStage", plan).build();
    }
    return target.doing().isEmpty() ? plan : stage(target.doing()).put("inputStage", plan).build();
  }

  /** Whether a projection only selects whole fields. */
  private static boolean picks(Document projection) {
    Fields fields = projection.fields();
    while (fields.next()) {
      Value value = fields.value();
      boolean flag = value.isNumber() || value.type() == Type.BOOLEAN;
      if (!flag || fields.name().indexOf('.') >= 0) {
        return false;
      }
    }
    return true;
  }

  private DocumentWriter stage(String name) {
    return stage(name, returned);
  }

  /**
   * A stage that has returned a number of documents.
   *
   * <p>Time is not measured between stages: each reports the time of all.
   */
  private DocumentWriter stage(String name, long given) {
    DocumentWriter stage = Document.writer().put("stage", name);
    return returned == NOT_COUNTED
        ? stage
        : stage.put("nReturned", (int) given).put("executionTimeMillisEstimate", (int) millis);
  }

  /** The access path, inside a GEO_NEAR stage if the query orders by distance. */
  private Document access() {
    Optional<Filter.Geo> place = GeoSyntax.nearness(query.filter());
    return place.isEmpty() || !query.order().isEmpty() ? accessPath() : nearest(place.get());
  }

  private Document nearest(Filter.Geo place) {
    boolean sphere = place.region().nearness().orElseThrow().onSphere();
    DocumentWriter near = stage(sphere ? "GEO_NEAR_2DSPHERE" : "GEO_NEAR_2D");
    if (explanation.access() instanceof Access.Index index) {
      near.put("keyPattern", keyPattern(index.index())).put("indexName", index.index().name());
    }
    return near.put("inputStage", accessPath()).build();
  }

  private Document accessPath() {
    return switch (explanation.access()) {
      case Access.Point() -> counted(stage("IDHACK"), 1).build();
      case Access.Scan(boolean backward) -> {
        DocumentWriter scan = stage("COLLSCAN", explanation.documentsMatched());
        filter(scan);
        yield counted(scan.put("direction", direction(backward)), 0).build();
      }
      case Access.Union(List<Access.Index> members) -> {
        DocumentWriter either =
            stage("OR", explanation.documentsExamined()).startArray("inputStages");
        members.forEach(member -> either.add(Value.of(uncounted().index(member))));
        DocumentWriter fetch = stage("FETCH", explanation.documentsMatched());
        filter(fetch);
        yield counted(fetch, 0).put("inputStage", either.end().build()).build();
      }
      case Access.Index index -> {
        DocumentWriter fetch = stage("FETCH", explanation.documentsMatched());
        filter(fetch);
        yield counted(fetch, 0).put("inputStage", index(index)).build();
      }
    };
  }

  private DocumentWriter counted(DocumentWriter stage, int keys) {
    if (returned == NOT_COUNTED) {
      return stage;
    }
    stage.put("docsExamined", (int) explanation.documentsExamined());
    return keys == 0 ? stage : stage.put("keysExamined", (int) explanation.keysExamined());
  }

  private void filter(DocumentWriter to) {
    if (!query.filter().equals(Filter.all())) {
      to.put("filter", target.filter());
    }
  }

  private Document index(Access.Index access) {
    IndexSpec index = access.index();
    DocumentWriter scan =
        stage(access.skipScan() ? "DISTINCT_SCAN" : "IXSCAN", explanation.documentsExamined())
            .put("keyPattern", keyPattern(index))
            .put("indexName", index.name())
            .put("isMultiKey", access.multikey())
            .put("isUnique", index.unique() || isOfId(index))
            .put("isSparse", index.sparse())
            .put("isPartial", !index.partial().equals(Filter.all()))
            .put("indexVersion", 2)
            .put("direction", direction(access.backward()));
    if (!index.collation().simple()) {
      scan.put("collation", index.collation().toDocument());
    }
    scan.put("indexBounds", bounds(access));
    return (returned == NOT_COUNTED
            ? scan
            : scan.put("keysExamined", (int) explanation.keysExamined()))
        .build();
  }

  private Document bounds(Access.Index access) {
    DocumentWriter bounds = Document.writer();
    List<Part> parts = access.index().parts();
    if (query.hint() instanceof Hint.MinMax(_, List<Value> from, List<Value> below)) {
      return bounds
          .put("startKey", key(parts, from, true))
          .put("startKeyInclusive", true)
          .put("endKey", key(parts, below, false))
          .put("endKeyInclusive", below.isEmpty())
          .build();
    }
    for (int i = 0; i < parts.size(); i++) {
      bounds.startArray(boundsPath(parts.get(i), access, bounds));
      List<ValueRange> ranges = i < access.bounds().size() ? access.bounds().get(i) : List.of();
      boolean down = parts.get(i).descending() != access.backward();
      (down ? ranges.reversed() : ranges).forEach(range -> bounds.add(Value.of(text(range, down))));
      bounds.end();
    }
    return bounds.build();
  }

  /** The path that bounds belong to; a wildcard index has bounds of its path, too. */
  private static String boundsPath(Part part, Access.Index access, DocumentWriter bounds) {
    if (!part.manyPaths() || access.paths().isEmpty()) {
      return part.path().toString();
    }
    bounds.startArray("$_path");
    for (FieldPath path : access.paths()) {
      String end = ShellText.of(Value.of(path.toString()));
      bounds.add(Value.of("[" + end + ", " + end + "]"));
    }
    bounds.end();
    return access.paths().getFirst().toString();
  }

  /** The values of a key, or MinKey and MaxKey. */
  private static Document key(List<Part> parts, List<Value> values, boolean first) {
    DocumentWriter key = Document.writer();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      Value end = part.descending() == first ? Value.MAX_KEY : Value.MIN_KEY;
      key.put(part.path().toString(), values.isEmpty() ? end : values.get(i));
    }
    return key.build();
  }

  private Document keyPattern(IndexSpec index) {
    return isOfId(index)
        ? IndexForm.ID.key()
        : Indexes.named(collection, index.name()).map(IndexForm::key).orElse(Document.EMPTY);
  }

  private static boolean isOfId(IndexSpec index) {
    return index.name().equals(IndexForm.ID.name());
  }

  /**
   * A range in the order it is read.
   *
   * @param down whether from its upper end
   */
  private static String text(ValueRange range, boolean down) {
    if (down) {
      return (range.toIncluded() ? "[" : "(")
          + ShellText.of(range.to())
          + ", "
          + ShellText.of(range.from())
          + (range.fromIncluded() ? "]" : ")");
    }
    return (range.fromIncluded() ? "[" : "(")
        + ShellText.of(range.from())
        + ", "
        + ShellText.of(range.to())
        + (range.toIncluded() ? "]" : ")");
  }

  private static String direction(boolean backward) {
    return backward ? "backward" : "forward";
  }
}

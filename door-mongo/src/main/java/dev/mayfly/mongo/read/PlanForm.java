package dev.mayfly.mongo.read;

import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Explanation.Access;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.index.ValueRange;
import dev.mayfly.mongo.command.ShellText;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** Tells the plan of a query in the form that explain has. */
final class PlanForm {
  private final Query query;
  private final Explanation explanation;
  private final Document filter;
  private final Document sort;

  PlanForm(Query query, Explanation explanation, Document filter, Document sort) {
    this.query = query;
    this.explanation = explanation;
    this.filter = filter;
    this.sort = sort;
  }

  /** The stages of the plan, the last one outermost. */
  Document stages() {
    Document plan = access();
    if (explanation.sorts()) {
      plan =
          Document.writer()
              .put("stage", "SORT")
              .put("sortPattern", sort)
              .put("memLimit", 104857600)
              .put("type", "simple")
              .put("inputStage", plan)
              .build();
    }
    if (query.skip() > 0) {
      plan = wrapped("SKIP", "skipAmount", query.skip(), plan);
    }
    if (query.limit() != Query.NO_LIMIT && !explanation.sorts()) {
      plan = wrapped("LIMIT", "limitAmount", query.limit(), plan);
    }
    return plan;
  }

  private static Document wrapped(String stage, String field, long amount, Document input) {
    return Document.writer()
        .put("stage", stage)
        .put(field, amount)
        .put("inputStage", input)
        .build();
  }

  private Document access() {
    return switch (explanation.access()) {
      case Access.Point() -> Document.writer().put("stage", "IDHACK").build();
      case Access.Scan(boolean backward) -> {
        DocumentWriter scan = Document.writer().put("stage", "COLLSCAN");
        filter(scan);
        yield scan.put("direction", direction(backward)).build();
      }
      case Access.Index index -> {
        DocumentWriter fetch = Document.writer().put("stage", "FETCH");
        filter(fetch);
        yield fetch.put("inputStage", index(index)).build();
      }
    };
  }

  private void filter(DocumentWriter to) {
    if (!query.filter().equals(Filter.all())) {
      to.put("filter", filter);
    }
  }

  private static Document index(Access.Index access) {
    IndexSpec index = access.index();
    DocumentWriter scan = Document.writer().put("stage", "IXSCAN").startDocument("keyPattern");
    for (Part part : index.parts()) {
      scan.put(part.path().toString(), part.descending() ? -1 : 1);
    }
    scan.end()
        .put("indexName", index.name())
        .put("isMultiKey", access.multikey())
        .put("isUnique", index.unique())
        .put("isSparse", index.sparse())
        .put("isPartial", !index.partial().equals(Filter.all()))
        .put("indexVersion", 2)
        .put("direction", direction(access.backward()))
        .startDocument("indexBounds");
    for (int i = 0; i < index.parts().size(); i++) {
      scan.startArray(index.parts().get(i).path().toString());
      List<ValueRange> ranges = i < access.bounds().size() ? access.bounds().get(i) : List.of();
      for (ValueRange range : ranges) {
        scan.add(Value.of(shown(range)));
      }
      scan.end();
    }
    return scan.end().build();
  }

  private static String shown(ValueRange range) {
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

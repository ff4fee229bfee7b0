package dev.mayfly.mql.rows;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;

/** Sort that preserves the metadata of documents. */
public final class SortKeepingMetadata {
  private static final String DOCUMENT = "document";
  private static final String METADATA = "metadata";

  private SortKeepingMetadata() {}

  /** Returns the rows in order; their metadata includes the sort key. */
  public static Rows sorted(
      Rows input, DocumentComparator order, long limit, Workspace workspace, Scope scope) {
    Rows packed = new MapRows(input, document -> packed(document, order, scope));
    Rows sorted = new SortRows(packed, row -> order.key(unpacked(row)), limit, workspace);
    return new MapRows(
        sorted,
        row -> {
          scope.metadata(row.field(METADATA).asDocument());
          return unpacked(row);
        });
  }

  private static Document packed(Document document, DocumentComparator order, Scope scope) {
    DocumentWriter known = Intermediate.writer();
    Fields fields = scope.metadata().fields();
    while (fields.next()) {
      if (!fields.named("sortKey")) {
        known.put(fields);
      }
    }
    known.put("sortKey", Value.array(order.values(document)));
    return Intermediate.writer().put(DOCUMENT, document).put(METADATA, known.build()).build();
  }

  private static Document unpacked(Document row) {
    return row.field(DOCUMENT).asDocument();
  }
}

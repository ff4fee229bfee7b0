package dev.mayfly.mongo.collection;

import dev.mayfly.query.Collation;
import dev.mayfly.query.Mode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Details of a failed document validation ({@code errInfo.details}): the clauses that a document
 * does not satisfy.
 */
final class Violation {
  private Violation() {}

  /** Returns the details, outermost operator first. */
  static Document of(Document validator, Collation collation, Document document) {
    List<Document> failed = new ArrayList<>();
    int clauses = 0;
    Fields fields = validator.fields();
    while (fields.next()) {
      Document clause = Document.writer().put(fields).build();
      if (!Filters.parse(clause, collation).matcher(Mode.MATCH).matches(document)) {
        failed.add(clause(clauses, fields, clause, document));
      }
      clauses++;
    }
    if (clauses == 1 && failed.size() == 1) {
      return failed.getFirst().field("details").asDocument();
    }
    return Document.writer()
        .put("operatorName", "$and")
        .put("clausesNotSatisfied", Value.array(failed.stream().map(Value::of).toList()))
        .build();
  }

  private static Document clause(int index, Fields field, Document clause, Document document) {
    return Document.writer()
        .put("index", index)
        .put("details", details(field, clause, document))
        .build();
  }

  private static Document details(Fields field, Document clause, Document document) {
    if (field.named("$jsonSchema")) {
      return SchemaViolation.of(field.value().asDocument(), document);
    }
    if (field.name().startsWith("$")) {
      return Document.writer()
          .put("operatorName", field.name())
          .put("specifiedAs", clause)
          .put("reason", "expression did not match")
          .build();
    }
    return compared(field, clause, document);
  }

  private static Document compared(Fields field, Document clause, Document document) {
    Value considered = document.at(FieldPath.of(field.name()));
    DocumentWriter details =
        Document.writer().put("operatorName", operator(field.value())).put("specifiedAs", clause);
    return considered.isMissing()
        ? details.put("reason", "field was missing").build()
        : details.put("reason", "comparison failed").put("consideredValue", considered).build();
  }

  private static String operator(Value value) {
    if (value.type() == Type.OBJECT) {
      Fields operators = value.asDocument().fields();
      if (operators.next() && operators.name().startsWith("$")) {
        return operators.name();
      }
    }
    return "$eq";
  }
}

package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import java.util.List;
import java.util.Set;

/** Where in a pipeline it is known what {@code $meta} tells of a document. */
public final class MetadataStages {
  /** Stages behind which a row is still the document that was found. */
  private static final Set<String> KEEPING =
      Set.of(
          "$match",
          "$project",
          "$addFields",
          "$set",
          "$unset",
          "$replaceRoot",
          "$replaceWith",
          "$redact",
          "$unwind",
          "$limit",
          "$skip",
          "$sort",
          "$geoNear");

  /** Stages that look at one row after the other, so that they can tell what is known of it. */
  private static final Set<String> ASKING =
      Set.of("$project", "$addFields", "$set", "$replaceRoot", "$replaceWith", "$redact", "$group");

  private MetadataStages() {}

  /** Whether every stage that asks does so where the answer is known. */
  public static boolean isKnown(List<Document> stages) {
    boolean kept = true;
    for (Document stage : stages) {
      String name = PipelineParser.name(stage);
      if (asks(stage) && !(kept && ASKING.contains(name))) {
        return false;
      }
      kept &= KEEPING.contains(name);
    }
    return true;
  }

  private static boolean asks(Document syntax) {
    Fields fields = syntax.fields();
    while (fields.next()) {
      boolean nested = fields.value().isDocument() || fields.value().isArray();
      if (fields.named("$meta") || (nested && asks(fields.value().asDocument()))) {
        return true;
      }
    }
    return false;
  }
}

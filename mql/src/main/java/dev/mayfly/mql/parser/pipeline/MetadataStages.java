package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import java.util.List;
import java.util.Set;

/** Checks that the metadata of {@code $meta} is available where stages read it. */
public final class MetadataStages {
  /** Stages that preserve the metadata of a document. */
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

  /** Stages that process row by row, and so may read metadata. */
  private static final Set<String> ROW_BY_ROW =
      Set.of("$project", "$addFields", "$set", "$replaceRoot", "$replaceWith", "$redact", "$group");

  private MetadataStages() {}

  /** Returns whether metadata is available to every stage that reads it. */
  public static boolean isKnown(List<Document> stages) {
    boolean kept = true;
    for (Document stage : stages) {
      String name = PipelineParser.name(stage);
      if (readsMetadata(stage) && !(kept && ROW_BY_ROW.contains(name))) {
        return false;
      }
      kept &= KEEPING.contains(name);
    }
    return true;
  }

  private static boolean readsMetadata(Document syntax) {
    Fields fields = syntax.fields();
    while (fields.next()) {
      boolean nested = fields.value().isDocument() || fields.value().isArray();
      if (fields.named("$meta") || (nested && readsMetadata(fields.value().asDocument()))) {
        return true;
      }
    }
    return false;
  }
}

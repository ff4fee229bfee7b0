package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.SessionToken;
import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.Usage;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** Headers for the size of a container and the progress of its indexes. */
final class Quota {
  private static final long KILOBYTE = 1024;
  private static final int DONE = 100;

  /** Limit of Cosmos DB for a logical partition, in kilobytes. */
  private static final long MAX_KILOBYTES = 20L * KILOBYTE * KILOBYTE;

  private Quota() {}

  /** Adds quota and usage. Items count until the instant at which they expire. */
  static void report(OperationContext operation, Container container, Reply reply) {
    Usage usage = container.collection().usage(operation);
    long kilobytes = kilobytes(usage);
    reply
        .header(
            HeaderNames.RESOURCE_QUOTA,
            "documentSize="
                + MAX_KILOBYTES
                + ";documentsSize="
                + MAX_KILOBYTES
                + ";documentsCount=-1;collectionSize="
                + MAX_KILOBYTES
                + ";")
        .header(
            HeaderNames.RESOURCE_USAGE,
            "documentSize=0;documentsSize="
                + kilobytes
                + ";documentsCount="
                + usage.documents()
                + ";collectionSize="
                + kilobytes
                + ";functions=0;storedProcedures=0;triggers=0;");
  }

  private static long kilobytes(Usage usage) {
    return (usage.bytes() + KILOBYTE - 1) / KILOBYTE;
  }

  /** Adds the usage of the only partition key range; single keys are not counted. */
  static Document withStatistics(
      OperationContext operation, Container container, Document resource) {
    Usage usage = container.collection().usage(operation);
    DocumentWriter writer = Document.writer();
    writer.putAll(resource);
    return writer
        .startArray("statistics")
        .startDocument()
        .put("id", SessionToken.WHOLE)
        .put("sizeInKB", kilobytes(usage))
        .put("documentCount", usage.documents())
        .put("partitionKeys", Value.array(List.of()))
        .end()
        .end()
        .build();
  }

  static void reportProgress(Container container, Reply reply) {
    List<BuildProgress> builds = container.collection().builds();
    int percent = builds.stream().mapToInt(BuildProgress::percent).min().orElse(DONE);
    String text = Integer.toString(percent);
    reply.header(HeaderNames.INDEX_PROGRESS, text);
    if (container.indexing().mode() == IndexingMode.LAZY) {
      reply.header(HeaderNames.LAZY_PROGRESS, text);
    }
  }
}

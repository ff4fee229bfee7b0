package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code ttl limit}: bounds a collection. */
@Command(
    name = "limit",
    description =
        "Bound a collection: beyond a limit, writes evict the documents that expire first. Without"
            + " options the limits are removed.")
final class LimitCollection extends Ttl.OnCollection {
  @Option(names = "--documents", paramLabel = "NUMBER", description = "Number of documents.")
  private @Nullable Long documents;

  @Option(names = "--bytes", paramLabel = "NUMBER", description = "Bytes of documents.")
  private @Nullable Long bytes;

  @Override
  protected void run(CommandTarget connection) {
    DocumentWriter body = Document.writer();
    if (documents != null) {
      body.put("maxDocuments", documents);
    }
    if (bytes != null) {
      body.put("maxBytes", bytes);
    }
    Document reply = connection.request("POST", path() + "/limit", body.build());
    print(
        reply,
        reply.field("limit").isMissing()
            ? collection() + " has no limits."
            : collection() + " is bounded: " + Amounts.limit(reply.field("limit").asDocument()));
  }
}

package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * {@code mayflyExplainExpiry}: explains when documents expire and by which rule, or why they do
 * not. {@code ids} is an array of up to 200 values of {@code _id}. Without it, the command counts
 * documents that no rule expires: all of them, and by reason in a sample of the collection.
 */
public final class ExplainExpiryCommand implements Command {
  /** About how many documents of a collection are looked at. */
  private static final int SAMPLE = 1000;

  /** How long a count of all documents that do not expire may take. */
  private static final long MOST_MILLIS = 2000;

  private final Namespaces namespaces;

  public ExplainExpiryCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("ids"));
    Namespace namespace = request.namespace();
    Collection collection =
        namespaces.collection(namespace, "ns does not exist: " + namespace).collection();
    reply.put("ns", namespace.toString()).put("now", Value.date(request.now()));
    if (!request.has("ids")) {
      ExpiryService expiry = collection.expiry(request.operation());
      write(expiry.neverExpiring(SAMPLE), reply);
      expiry
          .countNeverExpiring(expiry.after(MOST_MILLIS))
          .ifPresent(total -> reply.put("total", total));
      return;
    }
    List<DocumentKey> keys = keys(request.field("ids"));
    reply.startArray("documents");
    for (Life life : collection.expiry(request.operation()).explain(keys)) {
      reply.startDocument().put("_id", life.key().id());
      life.write(reply, Value::date);
      reply.end();
    }
    reply.end();
  }

  private static void write(NeverExpiring report, DocumentWriter reply) {
    reply
        .put("sampled", report.sampled())
        .put("exact", report.exact())
        .put("neverExpiring", report.documents())
        .startArray("reasons");
    for (NeverExpiring.Cause cause : report.never()) {
      reply.startDocument().put("rule", cause.verdict().rule());
      cause.verdict().writeReason(reply);
      reply.put("documents", cause.documents()).startArray("ids");
      cause.keys().forEach(key -> reply.add(key.id()));
      reply.end().end();
    }
    reply.end();
  }

  private static List<DocumentKey> keys(Value ids) {
    if (!ids.isArray()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, "'ids' must be an array");
    }
    List<DocumentKey> keys = new ArrayList<>();
    Fields elements = ids.asDocument().fields();
    while (elements.next()) {
      keys.add(DocumentKey.of(elements.value()));
    }
    if (keys.size() > ExpiryService.MAX_EXPLAINED) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "'ids' has more than " + ExpiryService.MAX_EXPLAINED + " elements");
    }
    return keys;
  }
}

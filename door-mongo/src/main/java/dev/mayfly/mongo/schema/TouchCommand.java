package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.mongo.collection.Filters;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import java.util.HashSet;
import java.util.Set;

/**
 * {@code mayflyTouch}: gives the documents of a filter other deadlines, in slices. Without a filter
 * it extends a rule, which is one write to the catalog.
 */
public final class TouchCommand implements Command {
  private static final String FILTER = "filter";
  private static final String MORE = "extendBySeconds";
  private static final String LIMIT = "maxMillis";

  private final Namespaces namespaces;

  public TouchCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    Set<String> fields = new HashSet<>(Touch.FIELDS);
    fields.add(FILTER);
    request.allow(fields);
    Namespace namespace = request.namespace();
    Found found = namespaces.collection(namespace, "ns does not exist: " + namespace);
    reply.put("ns", namespace.toString());
    if (request.has(FILTER)) {
      touch(request, found, described(request)).write(reply);
    } else {
      extendRule(request, found.collection(), reply);
    }
  }

  /** Returns the fields that describe the deadlines; null counts as absent. */
  private static Document described(Request request) {
    DocumentWriter described = Document.writer();
    Fields fields = request.body().fields();
    while (fields.next()) {
      if (Touch.FIELDS.contains(fields.name()) && !fields.value().isNull()) {
        described.put(fields);
      }
    }
    return described.build();
  }

  private static Touched touch(Request request, Found found, Document described) {
    Collection collection = found.collection();
    Document collation = found.options().collation();
    Filter filter =
        Filters.parse(
            request.document(FILTER),
            collation.isEmpty() ? Collation.SIMPLE : CollationParser.parse(collation),
            request.now());
    Validator validator = found.validator().at(request.now());
    Touch touch = Touch.of(described, request.now()).checkedBy(validator::checkUpdate);
    ExpiryService expiry = collection.expiry(request.operation());
    Query query = Query.of(filter, found.spec().dialect().mode());
    return request.has(LIMIT)
        ? expiry.touch(query, touch, expiry.after(request.count(LIMIT, 0)))
        : expiry.touch(query, touch, () -> false);
  }

  private static void extendRule(Request request, Collection collection, DocumentWriter reply) {
    if (!request.has(MORE) || request.has("deadline") || request.has("seconds")) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "mayflyTouch needs a 'filter'; {} selects all documents. Without one, 'extendBySeconds'"
              + " extends the rule");
    }
    TimeToLive before = collection.spec().timeToLive();
    String rule = request.text("rule", before.onlyRule());
    long seconds = request.number(MORE, 0);
    ChangeAuthor.as(
        GuardedAlter.author(request),
        () -> {
          collection.alter(spec -> spec.withTimeToLive(spec.timeToLive().extended(rule, seconds)));
          return seconds;
        });
    reply.put("rule", rule).put("ruleChanged", true);
  }
}

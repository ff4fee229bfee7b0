package dev.mayfly.admin;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;

/** Admin API that gives the documents of a MongoDB filter other deadlines, or extends a rule. */
final class TouchAdmin {
  private static final String FILTER = "filter";
  private static final String MORE = "extendBySeconds";
  private static final String LIMIT = "maxMillis";

  private final Engine engine;

  TouchAdmin(Engine engine) {
    this.engine = engine;
  }

  /** Touches documents; without {@code filter} it extends the rule, for later documents, too. */
  Document touch(List<String> names, Document body) {
    check(body);
    Collection collection = engine.collection(new Namespace(names.getFirst(), names.getLast()));
    Value filter = body.field(FILTER);
    if (filter.isMissing()) {
      return extendRule(collection, body);
    }
    OperationContext operation = collection.operation();
    Filter parsed =
        FilterParser.parse(filter.asDocument(), Variables.none(operation.now()), Collation.SIMPLE);
    Query query = Query.of(parsed, collection.spec().dialect().mode());
    ExpiryService expiry = collection.expiry(operation);
    Touch touch = Touch.of(body, operation.now());
    Touched touched =
        body.field(LIMIT).isMissing()
            ? expiry.touch(query, touch, () -> false)
            : expiry.touch(query, touch, expiry.after(AdminApi.whole(body, LIMIT)));
    DocumentWriter reply = Document.writer();
    touched.write(reply);
    return reply.build();
  }

  private static void check(Document body) {
    Fields fields = body.fields();
    while (fields.next()) {
      if (!fields.named(FILTER) && !Touch.FIELDS.contains(fields.name())) {
        throw AdminException.wrong("Unknown field '" + fields.name() + "'.");
      }
    }
  }

  private static Document extendRule(Collection collection, Document body) {
    boolean alone = body.field("deadline").isMissing() && body.field("seconds").isMissing();
    if (body.field(MORE).isMissing() || !alone) {
      throw AdminException.wrong(
          "'filter' is missing; {} selects all documents. Without a filter, 'extendBySeconds'"
              + " extends the rule.");
    }
    long seconds = AdminApi.whole(body, MORE);
    String rule =
        body.field("rule").isMissing()
            ? collection.spec().timeToLive().onlyRule()
            : AdminApi.text(body, "rule");
    ChangeAuthor.as(
        TtlAdmin.AUTHOR,
        () -> {
          collection.alter(spec -> spec.withTimeToLive(spec.timeToLive().extended(rule, seconds)));
          return seconds;
        });
    return Document.writer().put("rule", rule).put("ruleChanged", true).build();
  }
}

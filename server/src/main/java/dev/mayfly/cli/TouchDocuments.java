package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code ttl touch}: gives the documents of a filter other deadlines. */
@Command(
    name = "touch",
    description =
        "Restart the lives of documents, or give them other deadlines. Without --filter, --extend"
            + " extends the rule.")
final class TouchDocuments extends Ttl.OnCollection {
  /** Each request of a long run takes about this long, so that it can be interrupted between. */
  private static final int REQUEST_MILLIS = 2000;

  @Option(
      names = "--filter",
      paramLabel = "FILTER",
      description = "MongoDB filter, as JSON; {} selects all documents.")
  private @Nullable String filter;

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description = "Rule to set deadlines by, if there are several: default, index:NAME.")
  private @Nullable String rule;

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Life life = new Life();

  /** The new deadlines. */
  static final class Life {
    @Option(
        names = "--deadline",
        paramLabel = "TIME",
        description = "The same deadline for all, such as 2027-01-01T00:00:00Z.")
    private @Nullable String deadline;

    @Option(names = "--after", paramLabel = "SPAN", description = "A deadline that long from now.")
    private @Nullable String after;

    @Option(
        names = "--extend",
        paramLabel = "SPAN",
        description = "Make each deadline later by this time.")
    private @Nullable String extend;
  }

  private long matched;
  private long touched;

  @Override
  protected void check() {
    super.check();
    request();
  }

  private DocumentWriter request() {
    DocumentWriter request = Document.writer();
    if (filter != null) {
      request.put("filter", parsed(filter));
    }
    if (rule != null) {
      request.put("rule", rule);
    }
    if (life.deadline != null) {
      request.put("deadline", date(life.deadline));
    }
    if (life.after != null) {
      request.put("seconds", Amounts.seconds(life.after));
    }
    if (life.extend != null) {
      request.put("extendBySeconds", Amounts.seconds(life.extend));
    }
    return request;
  }

  private static Document parsed(String text) {
    try {
      return ExtendedJson.parse(text, Limits.MONGO);
    } catch (ValueException invalid) {
      throw CommandFailure.usage(
          "The filter " + text + " is not valid JSON: " + invalid.getMessage() + ".");
    }
  }

  private static Value date(String text) {
    try {
      return Value.date(Instant.parse(text).toEpochMilli());
    } catch (DateTimeException invalid) {
      throw CommandFailure.usage(
          "The deadline " + text + " is not a time such as 2027-01-01T00:00:00Z.");
    }
  }

  @Override
  protected void run(CommandTarget connection) {
    Document reply = connection.request("POST", path() + "/touch", limited(Value.MISSING));
    if (!reply.field("ruleChanged").isMissing()) {
      print(reply, "The rule " + reply.field("rule").asString() + " is extended.");
      return;
    }
    add(reply);
    while (!reply.field("complete").asBoolean()) {
      reply = connection.request("POST", path() + "/touch", limited(reply.field("continueFrom")));
      add(reply);
    }
    print(
        Document.writer().put("matched", matched).put("touched", touched).build(),
        Amounts.count(touched)
            + " of "
            + Amounts.count(matched)
            + " matching documents have a new deadline.");
  }

  private Document limited(Value continueFrom) {
    DocumentWriter request = request();
    if (filter != null) {
      request.put("maxMillis", REQUEST_MILLIS).put("continueFrom", continueFrom);
    }
    return request.build();
  }

  private void add(Document reply) {
    matched += reply.field("matched").asLong();
    touched += reply.field("touched").asLong();
  }
}

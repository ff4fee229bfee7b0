package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code ttl}: shows, tries, changes and undoes TTL rules. */
@Command(
    name = "ttl",
    description = "Show and change the TTL of a collection.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      Ttl.Show.class,
      Ttl.Explain.class,
      Ttl.Set.class,
      Ttl.Off.class,
      Ttl.WhatIf.class,
      Ttl.Future.class,
      Ttl.Undo.class,
      Ttl.Limit.class,
      Ttl.OnExpire.class,
      Ttl.With.class,
      Ttl.Warnings.class,
      TouchDocuments.class
    })
final class Ttl implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new MissingCommand(spec.commandLine());
  }

  /** A command on one collection. */
  abstract static class OnCollection extends RemoteCommand {
    @Parameters(
        index = "0",
        paramLabel = "COLLECTION",
        description = "DATABASE.COLLECTION, or cosmos:DATABASE.CONTAINER.")
    private String collection = "";

    protected final String collection() {
      return collection;
    }

    protected final String path() {
      return CommandTarget.path(collection);
    }

    @Override
    protected void check() {
      path();
    }
  }

  /** Command {@code ttl show}. */
  @Command(name = "show", description = "Show the TTL rules of a collection.")
  static final class Show extends OnCollection {
    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      Document shown = connection.request("GET", path());
      Document health = connection.request("GET", path() + "/health");
      DocumentWriter both = Document.writer();
      Fields each = shown.fields();
      while (each.next()) {
        both.put(each.name(), each.value());
      }
      StringJoiner lines = new StringJoiner(System.lineSeparator() + "  ");
      lines.add(collection() + ": " + Amounts.rules(shown.field("rules").asDocument()));
      if (!shown.field("limit").isMissing()) {
        lines.add("Limit: " + Amounts.limit(shown.field("limit").asDocument()));
      }
      if (!shown.field("expiresWith").isMissing()) {
        lines.add(Amounts.expiresWith(shown.field("expiresWith").asDocument()));
      }
      TtlReport.archive(shown).forEach(lines::add);
      TtlReport.health(health).forEach(lines::add);
      print(both.put("health", health).build(), lines.toString());
    }
  }

  /** Command {@code ttl explain}. */
  @Command(
      name = "explain",
      description = "Explain when a document expires and by which rule, or why it does not.")
  static final class Explain extends OnCollection {
    @Parameters(
        index = "1",
        paramLabel = "ID",
        description =
            "The id: a string, or Extended JSON such as 7 or {\"$oid\": \"...\"}. In a container:"
                + " {\"id\": \"a\", \"partitionKey\": [\"x\"]}.")
    private String id = "";

    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      Document body = Document.writer().startArray("keys").add(Value.of(key())).end().build();
      Document reply = connection.request("POST", path() + "/lives", body);
      Document life = reply.field("lives").asDocument().field("0").asDocument();
      boolean absent = life.field("state").asString().equals("absent");
      if (json() || !absent) {
        print(life, TtlReport.life(life));
      }
      if (absent) {
        throw new CommandFailure(collection() + " has no document with the id " + id + ".");
      }
    }

    /** Text that does not look like JSON is a string. */
    private String key() {
      try {
        ExtendedJson.parseValue(id, Limits.MONGO);
        return id;
      } catch (ValueException notJson) {
        if (id.startsWith("{") || id.startsWith("[")) {
          throw CommandFailure.usage(
              "The id " + id + " is not valid Extended JSON: " + notJson.getMessage() + ".");
        }
        return ExtendedJson.canonical(Value.of(id));
      }
    }
  }

  /** Options that describe a TTL rule. */
  static final class Rule {
    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private Which which = new Which();

    @Option(
        names = "--after",
        paramLabel = "SPAN",
        required = true,
        description =
            "Time to live: 90s, 30m, 12h, 7d; own: only documents with their own ttl expire.")
    private String after = "";

    @Option(
        names = "--grace",
        paramLabel = "SPAN",
        description = "How long expired documents are kept, so that a change can be undone.")
    private @Nullable String grace;

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        description =
            "How to read the time in the field: date, seconds or milliseconds since 1970, iso8601,"
                + " objectId.")
    private @Nullable String format;

    @Option(
        names = "--sliding",
        negatable = true,
        description = "Whether the life of a document starts again with each read by its id.")
    private @Nullable Boolean sliding;

    @Option(
        names = "--slack",
        paramLabel = "SPAN",
        description = "With --sliding: how much a crash may shorten a life [5 %% of the TTL].")
    private @Nullable String slack;

    @Option(
        names = "--sliding-queries",
        description = "With --sliding: documents that a query returns count as read, too.")
    private boolean queries;

    /** Start of the time to live. */
    static final class Which {
      @Option(
          names = "--index",
          paramLabel = "NAME",
          description = "Count from the date in the field of an existing index.")
      private @Nullable String index;

      @Option(
          names = "--property",
          paramLabel = "PATH",
          description = "Count from a property, in epoch seconds, instead of the last write.")
      private @Nullable String property;

      @Option(
          names = "--id",
          description = "Count from the time in the _id; with --format objectId its generation.")
      private boolean id;
    }

    DocumentWriter change() {
      long seconds = after.equals("own") ? -1 : Amounts.seconds(after);
      DocumentWriter change = Document.writer();
      if (which.id) {
        change.put("id", seconds);
      } else if (which.index == null) {
        change.put("default", seconds);
      } else {
        change.startDocument("indexes").put(which.index, seconds).end();
      }
      if (which.property != null) {
        change.put("property", which.property);
      }
      if (format != null) {
        putFormat(change, format);
      }
      putSliding(change);
      if (grace != null) {
        change.put("graceSeconds", Amounts.seconds(grace));
      }
      return change;
    }

    private void putSliding(DocumentWriter change) {
      boolean on = Boolean.TRUE.equals(sliding);
      if (!on && (slack != null || queries)) {
        throw CommandFailure.usage("--slack and --sliding-queries need --sliding.");
      }
      if (sliding == null) {
        return;
      }
      String rule = which.id ? "id" : which.index == null ? "default" : "index:" + which.index;
      change.startDocument("sliding");
      if (on && (slack != null || queries)) {
        change.startDocument(rule);
        if (slack != null) {
          change.put("slackSeconds", Amounts.seconds(slack));
        }
        change.put("queries", queries).end();
      } else {
        change.put(rule, on);
      }
      change.end();
    }

    private void putFormat(DocumentWriter change, String name) {
      if (which.id) {
        change.put("idFormat", name);
      } else if (which.index != null) {
        change.startDocument("indexFormats").put(which.index, name).end();
      } else if (which.property != null) {
        change.put("propertyFormat", name);
      } else {
        throw CommandFailure.usage("--format needs --index, --property or --id.");
      }
    }
  }

  /** Command {@code ttl set}. */
  @Command(
      name = "set",
      description =
          "Set the TTL, counted from the last write unless an option selects another start.")
  static final class Set extends OnCollection {
    @CommandLine.Mixin private Rule rule = new Rule();

    @Option(
        names = "--most",
        paramLabel = "NUMBER",
        description = "Fail if more documents than this would expire at once.")
    private @Nullable Long most;

    @Override
    protected void check() {
      super.check();
      rule.change();
    }

    @Override
    protected void run(CommandTarget connection) {
      DocumentWriter change = rule.change();
      if (most != null) {
        change.put("most", most);
      }
      Document reply = connection.request("POST", path() + "/ttl", change.build());
      print(reply, "Set; " + expired(reply) + " at once.");
    }
  }

  /** Command {@code ttl off}. */
  @Command(
      name = "off",
      description = "Remove all TTL rules: documents live until they are deleted.")
  static final class Off extends OnCollection {
    @Override
    protected void run(CommandTarget connection) {
      Document off = Document.writer().put("off", true).build();
      print(connection.request("POST", path() + "/ttl", off), "TTL is off: no document expires.");
    }
  }

  /** Command {@code ttl what-if}. */
  @Command(
      name = "what-if",
      description = "Show how many documents a TTL would expire at once, without setting it.")
  static final class WhatIf extends OnCollection {
    @CommandLine.Mixin private Rule rule = new Rule();

    @Override
    protected void check() {
      super.check();
      rule.change();
    }

    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      Document reply = connection.request("POST", path() + "/what-if", rule.change().build());
      print(reply, "It would have " + expired(reply) + " at once.");
    }
  }

  /** Command {@code ttl undo}. */
  @Command(
      name = "undo",
      description = "Undo the last TTL change that expired documents, within the grace period.")
  static final class Undo extends OnCollection {
    @Override
    protected void run(CommandTarget connection) {
      Document reply = connection.request("POST", path() + "/undo");
      print(reply, Amounts.count(reply.field("back").asLong()) + " documents are visible again.");
    }
  }

  /** Command {@code ttl forecast}. */
  @Command(name = "forecast", description = "Show how many documents will expire, and when.")
  static final class Future extends OnCollection {
    private static final int WIDTH = 40;

    @Option(
        names = "--within",
        paramLabel = "SPAN",
        split = ",",
        description = "Spans from now [1m,10m,1h,6h,1d,7d,30d].")
    private List<String> within = List.of("1m", "10m", "1h", "6h", "1d", "7d", "30d");

    @Override
    protected void check() {
      super.check();
      within.forEach(Amounts::seconds);
    }

    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      DocumentWriter body = Document.writer().startArray("withinSeconds");
      for (String span : within) {
        body.add(Value.of(Amounts.seconds(span)));
      }
      Document reply = connection.request("POST", path() + "/forecast", body.end().build());
      if (json()) {
        out().println(ExtendedJson.relaxed(reply));
        return;
      }
      chart(reply);
    }

    private void chart(Document reply) {
      long most = 1;
      Fields all = reply.field("forecast").asDocument().fields();
      while (all.next()) {
        most = Math.max(most, all.value().asDocument().field("documents").asLong());
      }
      Table table = new Table("WITHIN", "EXPIRE", "", "BY");
      Fields each = reply.field("forecast").asDocument().fields();
      while (each.next()) {
        Document row = each.value().asDocument();
        long documents = row.field("documents").asLong();
        table.row(
            Amounts.span(row.field("withinSeconds").asLong()),
            Amounts.count(documents),
            "\u2588".repeat((int) Math.ceilDiv(documents * WIDTH, most)),
            rules(row.field("byRule").asDocument()));
      }
      table.print(out());
    }

    private static String rules(Document byRule) {
      Map<String, Long> counts = new TreeMap<>();
      Fields each = byRule.fields();
      while (each.next()) {
        counts.put(each.name(), each.value().asLong());
      }
      return counts.entrySet().stream()
          .filter(rule -> rule.getValue() > 0)
          .map(rule -> rule.getKey() + " " + Amounts.count(rule.getValue()))
          .collect(Collectors.joining(", "));
    }
  }

  private static String expired(Document reply) {
    return Amounts.count(reply.field("expired").asLong())
        + " documents ("
        + Amounts.bytes(reply.field("expiredBytes").asLong())
        + ") expire";
  }

  /** Command {@code ttl limit}: bounds a collection. */
  @Command(
      name = "limit",
      description =
          "Bound a collection: beyond a limit, writes evict the documents that expire first."
              + " Without options the limits are removed.")
  static final class Limit extends OnCollection {
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

  /** Command {@code ttl with}: sets the collection whose documents the documents follow. */
  @Command(
      name = "with",
      description = "Let documents expire with their parents in another collection.")
  static final class With extends OnCollection {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private Parents parents = new Parents();

    @Option(
        names = "--deleted",
        description = "The delete of a parent makes its children absent, too.")
    private boolean deleted;

    /** The parents, or none. */
    static final class Parents {
      @ArgGroup(exclusive = false)
      private @Nullable Named named;

      @Option(names = "--off", description = "The documents live by their own rules alone.")
      private boolean off;
    }

    /** A collection of parents. */
    static final class Named {
      @Option(
          names = "--collection",
          required = true,
          paramLabel = "NAME",
          description = "The collection of the parents, in the same database.")
      private String collection = "";

      @Option(
          names = "--field",
          required = true,
          paramLabel = "PATH",
          description = "The field with the id of the parent.")
      private String field = "";
    }

    @Override
    protected void run(CommandTarget connection) {
      DocumentWriter body = Document.writer();
      Named named = parents.named;
      if (named != null && !parents.off) {
        body.put("collection", named.collection).put("field", named.field).put("deleted", deleted);
      }
      Document reply = connection.request("POST", path() + "/expires-with", body.build());
      print(
          reply,
          reply.field("expiresWith").isMissing()
              ? collection() + " follows no collection."
              : collection() + ": " + Amounts.expiresWith(reply.field("expiresWith").asDocument()));
    }
  }

  /** Command {@code ttl on-expire}: sets what happens to expired documents. */
  @Command(
      name = "on-expire",
      description = "Move expired documents to a collection, to files, or to an HTTP address.")
  static final class OnExpire extends OnCollection {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private Where where = new Where();

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        description = "Format of files: ndjson (default) or bson.")
    private @Nullable String format;

    @Option(
        names = "--compress",
        paramLabel = "CODEC",
        description = "Compression of files: gzip (default) or none.")
    private @Nullable String compress;

    @Option(
        names = "--roll-bytes",
        paramLabel = "NUMBER",
        description = "Size from which on the next file is begun; default 64 MiB.")
    private @Nullable Long rollBytes;

    @Option(
        names = "--roll-after",
        paramLabel = "SPAN",
        description = "Age from which on the next file is begun; default 1h.")
    private @Nullable String rollAfter;

    @Option(
        names = "--evicted",
        description = "Deliver documents that a limit of the collection removes, too.")
    private boolean evicted;

    /** The target. */
    static final class Where {
      @Option(
          names = "--move-to",
          paramLabel = "COLLECTION",
          description = "DATABASE.COLLECTION, or cosmos:DATABASE.CONTAINER.")
      private @Nullable String moveTo;

      @Option(
          names = "--files",
          paramLabel = "NAME",
          description = "Name of a directory below the setting on-expire-directory.")
      private @Nullable String files;

      @Option(
          names = "--post",
          paramLabel = "ADDRESS",
          description = "HTTP address; its host must be in the setting on-expire-hosts.")
      private @Nullable String post;

      @Option(names = "--off", description = "Remove expired documents, as without an action.")
      private boolean off;
    }

    @Override
    protected void run(CommandTarget connection) {
      Document reply = connection.request("POST", path() + "/on-expire", body());
      print(reply, collection() + ": " + TtlReport.action(reply));
    }

    private Document body() {
      if (where.off) {
        return Document.EMPTY;
      }
      DocumentWriter body = Document.writer();
      put(body, "moveTo", where.moveTo);
      put(body, "files", where.files);
      put(body, "post", where.post);
      put(body, "format", format);
      put(body, "compress", compress);
      if (rollBytes != null) {
        body.put("rollBytes", rollBytes);
      }
      if (rollAfter != null) {
        body.put("rollSeconds", Amounts.seconds(rollAfter));
      }
      return (evicted ? body.put("evicted", true) : body).build();
    }

    private static void put(DocumentWriter body, String name, @Nullable String value) {
      if (value != null) {
        body.put(name, value);
      }
    }
  }

  /** Command {@code ttl warnings}: documents that will expire soon. */
  @Command(
      name = "warnings",
      description =
          "List documents that will expire within a time, each once: the next call continues from"
              + " the position that this one prints.")
  static final class Warnings extends OnCollection {
    @Option(names = "--within", required = true, paramLabel = "SPAN", description = "The time.")
    private String within = "";

    @Option(
        names = "--after",
        paramLabel = "POSITION",
        description = "Position that the previous call printed.")
    private @Nullable String after;

    @Option(names = "--most", paramLabel = "NUMBER", description = "At most this many documents.")
    private @Nullable Integer most;

    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      DocumentWriter body = Document.writer().put("withinSeconds", Amounts.seconds(within));
      if (after != null) {
        body.put("after", after);
      }
      if (most != null) {
        body.put("most", most);
      }
      Document reply = connection.request("POST", path() + "/warnings", body.build());
      StringJoiner lines = new StringJoiner(System.lineSeparator());
      Fields each = reply.field("documents").asDocument().fields();
      while (each.next()) {
        Document one = each.value().asDocument();
        lines.add(
            TtlReport.key(one.field("key"))
                + " expires at "
                + Instant.ofEpochMilli(one.field("deadline").asDate())
                + " by the rule "
                + one.field("rule").asString()
                + ".");
      }
      lines.add("Continue with --after " + reply.field("next").asString());
      print(reply, lines.toString());
    }
  }
}

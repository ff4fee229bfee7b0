package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
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

/** How long the documents of a collection live. */
@Command(
    name = "ttl",
    description = "See and change how long the documents of a collection live.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      Ttl.Show.class,
      Ttl.Set.class,
      Ttl.Off.class,
      Ttl.WhatIf.class,
      Ttl.Future.class,
      Ttl.Undo.class
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

  /** Says why documents expire. */
  @Command(name = "show", description = "Say by which rules documents expire.")
  static final class Show extends OnCollection {
    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      Document answer = connection.ask("GET", path());
      tell(answer, collection() + ": " + Amounts.rules(answer.field("rules").asDocument()));
    }
  }

  /** The rule that a change is about. */
  static final class Rule {
    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private Which which = new Which();

    @Option(
        names = "--after",
        paramLabel = "SPAN",
        required = true,
        description = "How long documents live: 90s, 30m, 12h, 7d; own: only those with a ttl.")
    private String after = "";

    @Option(
        names = "--grace",
        paramLabel = "SPAN",
        description = "How long what has expired is kept, so that a change can be undone.")
    private @Nullable String grace;

    /** Since when a life is counted. */
    static final class Which {
      @Option(
          names = "--index",
          paramLabel = "NAME",
          description = "Count from the date in the field of an index that is there.")
      private @Nullable String index;

      @Option(
          names = "--property",
          paramLabel = "PATH",
          description = "Count from a property, in epoch seconds, instead of the last write.")
      private @Nullable String property;
    }

    DocumentWriter change() {
      long seconds = after.equals("own") ? -1 : Amounts.seconds(after);
      DocumentWriter change = Document.writer();
      if (which.index == null) {
        change.put("default", seconds);
      } else {
        change.startDocument("indexes").put(which.index, seconds).end();
      }
      if (which.property != null) {
        change.put("property", which.property);
      }
      if (grace != null) {
        change.put("graceSeconds", Amounts.seconds(grace));
      }
      return change;
    }
  }

  /** Sets a rule. */
  @Command(
      name = "set",
      description = "Set how long documents live, since their last write unless told otherwise.")
  static final class Set extends OnCollection {
    @CommandLine.Mixin private Rule rule = new Rule();

    @Option(
        names = "--most",
        paramLabel = "NUMBER",
        description = "Refuse if more documents than this would expire at once.")
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
      Document answer = connection.ask("POST", path() + "/ttl", change.build());
      tell(answer, "Set; " + expired(answer) + " at once.");
    }
  }

  /** Ends all rules. */
  @Command(name = "off", description = "End all rules: documents live until they are deleted.")
  static final class Off extends OnCollection {
    @Override
    protected void run(CommandTarget connection) {
      Document off = Document.writer().put("off", true).build();
      tell(connection.ask("POST", path() + "/ttl", off), "Off: nothing expires any more.");
    }
  }

  /** Tries a rule. */
  @Command(name = "what-if", description = "Say what a rule would expire at once; set nothing.")
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
      Document answer = connection.ask("POST", path() + "/what-if", rule.change().build());
      tell(answer, "It would have " + expired(answer) + " at once.");
    }
  }

  /** Brings back what the last change expired. */
  @Command(
      name = "undo",
      description = "Take back the last change of rules and what it expired, within the grace.")
  static final class Undo extends OnCollection {
    @Override
    protected void run(CommandTarget connection) {
      Document answer = connection.ask("POST", path() + "/undo");
      tell(answer, Amounts.count(answer.field("back").asLong()) + " documents are back.");
    }
  }

  /** Counts the future. */
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
      Document answer = connection.ask("POST", path() + "/forecast", body.end().build());
      if (json()) {
        out().println(ExtendedJson.relaxed(answer));
        return;
      }
      chart(answer);
    }

    private void chart(Document answer) {
      long most = 1;
      Fields all = answer.field("forecast").asDocument().fields();
      while (all.next()) {
        most = Math.max(most, all.value().asDocument().field("documents").asLong());
      }
      Table table = new Table("WITHIN", "EXPIRE", "", "BY");
      Fields each = answer.field("forecast").asDocument().fields();
      while (each.next()) {
        Document one = each.value().asDocument();
        long documents = one.field("documents").asLong();
        table.row(
            Amounts.span(one.field("withinSeconds").asLong()),
            Amounts.count(documents),
            "\u2588".repeat((int) Math.ceilDiv(documents * WIDTH, most)),
            rules(one.field("byRule").asDocument()));
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

  private static String expired(Document answer) {
    return Amounts.count(answer.field("expired").asLong())
        + " documents ("
        + Amounts.bytes(answer.field("expiredBytes").asLong())
        + ") expire";
  }
}

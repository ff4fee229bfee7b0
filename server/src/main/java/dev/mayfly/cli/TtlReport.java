package dev.mayfly.cli;

import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Texts of {@code ttl show} and {@code ttl explain}, from replies of the admin API. */
final class TtlReport {
  /** How many keys a reason has as examples. */
  private static final int EXAMPLES = 3;

  private TtlReport() {}

  /** Explains the expiry of one document. */
  static String life(Document life) {
    return switch (life.field("state").asString()) {
      case "live" ->
          life.field("deadline").isMissing()
              ? "Never expires: " + life.field("why").asString()
              : "Expires at "
                  + date(life.field("deadline"))
                  + " by the rule "
                  + rule(life)
                  + (life.field("usedAt").isMissing()
                      ? "."
                      : "; last read or written at " + date(life.field("usedAt")) + ".");
      case "expired" ->
          "Expired"
              + (life.field("deadline").isMissing()
                  ? ""
                  : " at " + date(life.field("deadline")) + " by the rule " + rule(life))
              + (life.field("swept").asBoolean() ? "; swept." : "; not swept yet.");
      default -> "It does not exist.";
    };
  }

  private static String rule(Document of) {
    return of.field("rule").asString();
  }

  private static String date(Value value) {
    return Instant.ofEpochMilli(value.asDate()).toString();
  }

  /** Describes the rules of a collection and what they govern, line by line. */
  static List<String> health(Document health) {
    List<String> lines = new ArrayList<>();
    Fields rules = health.field("rules").asDocument().fields();
    while (rules.next()) {
      rule(rules.value().asDocument(), lines);
    }
    never(health.field("never").asDocument(), lines);
    long grace = health.field("graceSeconds").asLong();
    lines.add(
        grace == 0
            ? "Grace: none, a change cannot be undone."
            : "Grace: " + Amounts.span(grace) + ".");
    if (!health.field("undoUntil").isMissing()) {
      lines.add("The last change can be undone until " + date(health.field("undoUntil")) + ".");
    }
    Document backlog = health.field("backlog").asDocument();
    lines.add("Expired and not swept: " + Amounts.count(backlog.field("documents").asLong()) + ".");
    Fields builds = health.field("builds").asDocument().fields();
    while (builds.next()) {
      Document build = builds.value().asDocument();
      lines.add(
          "Building "
              + build.field("what").asString()
              + ": "
              + build.field("percent").asLong()
              + " %.");
    }
    return lines;
  }

  private static void rule(Document rule, List<String> lines) {
    StringBuilder line = new StringBuilder(rule.field("sentence").asString());
    line.append(' ')
        .append(rule.field("exact").asBoolean() ? "" : "At least ")
        .append(documents(rule.field("documents").asLong()));
    if (!rule.field("next").isMissing()) {
      line.append(", the next at ").append(date(rule.field("next")));
    }
    lines.add(line.append('.').toString());
  }

  private static String documents(long number) {
    return Amounts.count(number) + (number == 1 ? " document" : " documents");
  }

  private static void never(Document never, List<String> lines) {
    if (!never.field("documents").isMissing()) {
      lines.add(
          "No rule expires "
              + documents(never.field("documents").asLong())
              + "."
              + (never.field("exact").asBoolean() || never.field("sampled").asLong() == 0
                  ? ""
                  : " Of " + Amounts.count(never.field("sampled").asLong()) + " sampled:"));
    }
    Fields reasons = never.field("reasons").asDocument().fields();
    while (reasons.next()) {
      Document reason = reasons.value().asDocument();
      lines.add(
          "  "
              + Amounts.count(reason.field("documents").asLong())
              + ": "
              + reason.field("why").asString()
              + examples(reason.field("keys").asDocument()));
    }
  }

  private static String examples(Document keys) {
    StringJoiner examples = new StringJoiner(", ", " For example ", ".").setEmptyValue("");
    Fields each = keys.fields();
    for (int i = 0; i < EXAMPLES && each.next(); i++) {
      examples.add(key(each.value()));
    }
    return examples.toString();
  }

  /** Returns the key of a document as people write it: 7 in place of {"$numberInt": "7"}. */
  static String key(Value text) {
    return ExtendedJson.relaxed(ExtendedJson.parseValue(text.asString(), Limits.MONGO));
  }

  /** The action on expiry of a collection, as a sentence. */
  static String action(Document shown) {
    Value action = shown.field("onExpire");
    return (action.isMissing() ? OnExpire.NOTHING : OnExpire.of(action.asDocument())).sentence();
  }

  /** The action on expiry of a collection and how far it is; nothing if there is no action. */
  static List<String> archive(Document shown) {
    if (shown.field("archive").isMissing()) {
      return List.of();
    }
    Document status = shown.field("archive").asDocument();
    List<String> lines = new ArrayList<>();
    lines.add("On expiry: " + action(shown));
    lines.add(
        "  delivered "
            + Amounts.count(status.field("delivered").asLong())
            + ", waiting "
            + Amounts.count(status.field("waiting").asLong())
            + " ("
            + Amounts.bytes(status.field("waitingBytes").asLong())
            + "), lag "
            + Amounts.span(status.field("lagMillis").asLong() / 1000)
            + ", failed attempts "
            + Amounts.count(status.field("failures").asLong())
            + ", discarded "
            + Amounts.count(status.field("discarded").asLong()));
    if (!status.field("lastFailure").isMissing()) {
      lines.add("  last failure: " + status.field("lastFailure").asString());
    }
    return lines;
  }
}

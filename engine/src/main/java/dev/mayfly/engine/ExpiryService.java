package dev.mayfly.engine;

import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Expiry of one collection: explanations, forecast, what-if, guarded change and undo. Obtained from
 * {@link Collection#expiry(OperationContext)}; both protocols, the admin API and the command line
 * use it. Safe for many threads.
 *
 * <pre>{@code
 * ExpiryService expiry = sessions.expiry();
 * UnaryOperator<CollectionSpec> tenMinutes = spec -> spec.withDefaultTtl(600);
 * expiry.whatIf(tenMinutes).documents();   // 40_000: expired by the change; nothing has changed
 * expiry.alter(tenMinutes, 1_000);         // fails with EXPIRES_TOO_MUCH; nothing has changed
 * expiry.alter(tenMinutes, 50_000);        // returns the 40_000 documents that it expired
 * expiry.undo();                           // within the grace: the 40_000 are live again
 * expiry.touch(query, Touch.of(new NewLife.Restarted()), () -> false); // their lives begin again
 * }</pre>
 */
public interface ExpiryService {
  /** For {@link #alter}: the change may expire any number of documents. */
  long NO_LIMIT = Long.MAX_VALUE;

  /** For {@link #alter}: the rules may be any. */
  String ANY_RULES = "";

  /** Returns the live documents that will have expired at an instant, by rule. */
  Forecast forecast(long until);

  /**
   * Returns what will expire in spans of time from now on, by rule: one walk for all spans.
   *
   * @param stop called repeatedly; if it returns true, the walk ends, and later spans are lower
   *     bounds
   */
  Forecast.Series forecast(Forecast.Series.Spans spans, BooleanSupplier stop);

  /**
   * Explains when documents expire and why, or why they do not.
   *
   * @return in the order of the keys
   */
  List<Life> explain(List<DocumentKey> keys);

  /** The number of documents that requests can have explained at once. */
  int MAX_EXPLAINED = 200;

  /**
   * Returns live documents in the order of their deadlines. Its cost depends on what is returned,
   * except while a lane is being built: then all documents are read.
   *
   * @param after {@link Soonest#next} of the previous call; empty for the first
   * @param most how many documents
   * @param stop called repeatedly while all documents are read; if it returns true, nothing is
   *     returned
   * @throws EngineException BAD_HINT if {@code after} is not such a position
   */
  Soonest soonest(String after, int most, BooleanSupplier stop);

  /**
   * Returns live documents that will expire soon: an event for each at its deadline minus a time.
   * Nothing is stored; the caller keeps the position and can continue from it at any time.
   *
   * <p>Each version of a document is reported once. A document that gets a later deadline is
   * reported again before that one. After a change of rules, and if the change feed was trimmed
   * beyond the position, all documents within the time are reported again. While a lane is being
   * built, or a step of the clock is not confirmed, none are. A read of a document with a sliding
   * rule makes it reported again only if its new deadline is beyond the time.
   *
   * @param after {@link Warnings#next} of the previous call; empty for the first
   * @param withinMillis the time
   * @param most how many documents
   * @throws EngineException BAD_HINT if {@code after} is not such a position
   */
  Warnings warnings(String after, long withinMillis, int most);

  /** The number of warnings that requests can have at once. */
  int MAX_WARNINGS = 1000;

  /**
   * Documents that will expire soon.
   *
   * @param next continues after these documents
   * @param more whether more can be read at once
   */
  record Warnings(List<Soonest.Due> documents, String next, boolean more) {
    public Warnings {
      documents = List.copyOf(documents);
    }
  }

  /** Returns a condition that holds from some milliseconds after this call on. */
  BooleanSupplier after(long millis);

  /** Returns the next deadline of each rule; empty while a lane is being built. */
  SortedMap<String, Long> nextDeadlines();

  /**
   * Returns why documents do not expire: for all documents if there are few, otherwise for a
   * sample.
   *
   * @param most about how many documents to look at
   */
  NeverExpiring neverExpiring(int most);

  /**
   * Returns how many live documents no rule expires. It adds up counts by time that every write
   * maintains, and reads documents only where the forecast does.
   *
   * @param stop called repeatedly; if it returns true, the result is empty
   */
  OptionalLong countNeverExpiring(BooleanSupplier stop);

  /** Returns how far the delivery of expired documents is, if there is an action on expiry. */
  ArchiveStatus archiveStatus();

  /** Returns what a change of the collection would expire at once. Changes nothing. */
  Usage whatIf(UnaryOperator<CollectionSpec> change);

  /**
   * As {@link #whatIf(UnaryOperator)}, by rule and with some of the documents.
   *
   * @param mostKeys how many keys of documents
   */
  WhatIf whatIf(UnaryOperator<CollectionSpec> change, int mostKeys);

  /** As {@link #forecast(Forecast.Series.Spans, BooleanSupplier)}, after a change. */
  Forecast.Series forecast(
      UnaryOperator<CollectionSpec> change, Forecast.Series.Spans spans, BooleanSupplier stop);

  /**
   * Changes the collection unless that expires too many documents at once. Returns what it expired.
   *
   * <p>With a limit, counting and changing are one step: no write comes between. Writers wait only
   * while the documents written during the count are counted; all others count as of its beginning.
   * With {@link #NO_LIMIT} the documents are counted beforehand, and writers never wait for the
   * count; a change that leaves all rules as they are counts nothing.
   *
   * @param mostExpired how many documents the change may expire, or {@link #NO_LIMIT}
   * @throws EngineException EXPIRES_TOO_MUCH with the number it would expire
   */
  default Usage alter(UnaryOperator<CollectionSpec> change, long mostExpired) {
    return alter(change, mostExpired, ANY_RULES);
  }

  /**
   * As {@link #alter(UnaryOperator, long)}, unless the rules have changed.
   *
   * @param ifRules the {@link #rulesTag} that the rules must have, or {@link #ANY_RULES}
   * @throws EngineException RULES_CHANGED, EXPIRES_TOO_MUCH
   */
  Usage alter(UnaryOperator<CollectionSpec> change, long mostExpired, String ifRules);

  /**
   * Returns a tag of the current rules. It changes with every change of a rule, and when the index
   * of a rule is built.
   */
  String rulesTag();

  /**
   * Undoes the last change of rules that expired something, and the changes after it except those
   * that only lengthened lives. Returns the documents that are live again.
   *
   * @throws EngineException NOTHING_TO_UNDO if no document would be live again; no rule has changed
   *     then
   */
  Usage undo();

  /**
   * Gives the documents of a query other deadlines, in slices of bounded size. Each slice is
   * durable when the next one begins. Expired documents stay expired.
   *
   * @param query selects the documents, as of now; a document that no longer matches when its slice
   *     is written stays as it is
   * @param stop called before each slice; if it returns true, the rest is left as it is
   * @throws EngineException BAD_SPEC if the rule cannot give such deadlines; whatever a write fails
   *     with, such as DUPLICATE_KEY: earlier slices stay written
   */
  Touched touch(Query query, Touch touch, BooleanSupplier stop);

  /**
   * New deadlines for documents.
   *
   * @param rule the rule to give them by: {@code default}, or {@code index:} and its name; empty if
   *     the collection has one rule
   * @param life what the deadlines are
   * @param since {@link Touched#began} of an earlier call that was stopped: documents that were
   *     written later are not touched again; {@link #FROM_NOW} for a first call
   * @param filter whether a document matches, beside the filter of the query; may throw to end the
   *     call
   * @param check throws if a document must not be changed that way, and ends the call
   */
  record Touch(
      String rule,
      NewLife life,
      long since,
      Predicate<StoredDocument> filter,
      BiConsumer<Document, Document> check) {
    /** For {@link #since}: this is a first call. */
    public static final long FROM_NOW = 0;

    /** Fields of requests that describe the deadlines. */
    public static final Set<String> FIELDS =
        Set.of("rule", "deadline", "seconds", "extendBySeconds", "maxMillis", "continueFrom");

    private static final long MILLIS = 1000;

    /**
     * Reads the fields of a request: {@code rule}; one of {@code deadline} (a date, or epoch
     * seconds), {@code seconds} from now and {@code extendBySeconds}, or none of them to restart
     * lives; {@code continueFrom} of a reply.
     *
     * @throws EngineException BAD_SPEC
     */
    public static Touch of(Document request, long now) {
      Value began = request.field("continueFrom");
      try {
        return Touch.of(life(request, now))
            .byRule(request.field("rule").isMissing() ? "" : request.field("rule").asString())
            .continuing(began.isMissing() ? FROM_NOW : Long.parseLong(began.asString()));
      } catch (ValueException | NumberFormatException invalid) {
        throw bad("'rule' and 'continueFrom' must be strings, as in replies");
      }
    }

    private static NewLife life(Document request, long now) {
      Value deadline = request.field("deadline");
      Value seconds = request.field("seconds");
      Value more = request.field("extendBySeconds");
      long named = Stream.of(deadline, seconds, more).filter(value -> !value.isMissing()).count();
      if (named > 1) {
        throw bad("only one of 'deadline', 'seconds' and 'extendBySeconds' can be set");
      }
      if (!deadline.isMissing()) {
        return new NewLife.Until(
            deadline.type() == Type.DATE
                ? deadline.asDate()
                : whole(deadline, "deadline") * MILLIS);
      }
      if (!seconds.isMissing()) {
        return new NewLife.Until(now + whole(seconds, "seconds") * MILLIS);
      }
      return more.isMissing()
          ? new NewLife.Restarted()
          : new NewLife.Extended(whole(more, "extendBySeconds") * MILLIS);
    }

    private static long whole(Value value, String name) {
      double number = value.isNumber() ? value.asDouble() : Double.NaN;
      if (number != Math.rint(number) || Math.abs(number) > MAX_WHOLE) {
        throw bad("'" + name + "' must be a whole number of seconds");
      }
      return (long) number;
    }

    private static final double MAX_WHOLE = 1e12;

    private static EngineException bad(String message) {
      return new EngineException(EngineException.Reason.BAD_SPEC, message);
    }

    /** Touches all documents of a query by the only rule of the collection. */
    public static Touch of(NewLife life) {
      return new Touch("", life, FROM_NOW, _ -> true, (_, _) -> {});
    }

    public Touch byRule(String name) {
      return new Touch(name, life, since, filter, check);
    }

    public Touch continuing(long began) {
      return new Touch(rule, life, began, filter, check);
    }

    public Touch where(Predicate<StoredDocument> matches) {
      return new Touch(rule, life, since, matches, check);
    }

    public Touch checkedBy(BiConsumer<Document, Document> validator) {
      return new Touch(rule, life, since, filter, validator);
    }
  }

  /** Deadlines that {@link #touch} gives to documents. */
  sealed interface NewLife {
    /** The life of the rule starts again now, as with a write or the current time in the field. */
    record Restarted() implements NewLife {}

    /** The same deadline for all, in epoch milliseconds, or {@link Deadline#NEVER}. */
    record Until(long deadline) implements NewLife {}

    /** Each deadline of the rule, later by some milliseconds. */
    record Extended(long byMillis) implements NewLife {}
  }

  /**
   * Effect of {@link #touch}.
   *
   * @param matched documents that matched when they were written
   * @param touched documents that have a new deadline by the rule
   * @param began passed to a later call, it continues this one
   * @param complete false if it was stopped before the last document
   * @param charge the cost of the writes, in request units
   */
  record Touched(long matched, long touched, long began, boolean complete, double charge) {
    /** Writes the fields of a reply. */
    public void write(DocumentWriter reply) {
      reply.put("matched", matched).put("touched", touched).put("complete", complete);
      if (!complete) {
        reply.put("continueFrom", Long.toString(began));
      }
    }
  }

  /** Returns what an undo would do; empty if nothing can be undone. Changes nothing. */
  Optional<UndoPreview> undoPreview();

  /** Returns the latest changes of rules, oldest first; they survive a restart. */
  List<RuleChangeEntry> ruleChanges();

  /** Returns documents and bytes that have expired and are still to be swept. No read sees them. */
  Usage backlog();

  /**
   * Expiry of one document, explained.
   *
   * @param version the sequence of the last write; 0 if absent
   * @param writtenAt epoch milliseconds of the last write; 0 if absent
   * @param usedAt epoch milliseconds of the last read or write that a sliding rule counts; 0 if no
   *     rule slides
   * @param deadline when the document expires, or has expired; {@link Deadline#NEVER} if it does
   *     not, or if the rule that expired it is no longer known
   * @param rule the rule of the deadline, as in {@link RuleVerdict}; empty without a deadline
   * @param swept whether the expired document is swept: an undo cannot restore it
   * @param verdicts the verdict of each rule on the live document; never empty if it is live
   * @param values what the live document has in the field that a rule reads, by rule: its time, or
   *     {@code ttl}; absent for a missing field and for the last write
   */
  record Life(
      DocumentKey key,
      State state,
      long version,
      long writtenAt,
      long usedAt,
      long deadline,
      String rule,
      boolean swept,
      List<RuleVerdict> verdicts,
      Map<String, Value> values) {
    /** State of the document of a key. */
    public enum State {
      LIVE,
      /** Expired, and still stored. */
      EXPIRED,
      /** There is no document: deleted, swept, or never written. */
      ABSENT
    }

    public Life {
      verdicts = List.copyOf(verdicts);
      values = Map.copyOf(values);
    }

    private Value value(String name) {
      Value value = values.get(name);
      return value == null ? Value.MISSING : value;
    }

    /**
     * Writes the fields of a reply, without the key.
     *
     * @param date the form of an instant in epoch milliseconds
     */
    public void write(DocumentWriter reply, LongFunction<Value> date) {
      reply.put("state", state.name().toLowerCase(Locale.ROOT));
      if (state != State.ABSENT) {
        reply.put("version", Long.toString(version)).put("writtenAt", date.apply(writtenAt));
      }
      if (usedAt != 0) {
        reply.put("usedAt", date.apply(usedAt));
      }
      if (deadline != Deadline.NEVER) {
        reply.put("deadline", date.apply(deadline)).put("rule", rule).put("value", value(rule));
      }
      if (state == State.EXPIRED) {
        reply.put("swept", swept);
      }
      never()
          .ifPresent(
              verdict -> {
                verdict.writeReason(reply);
                reply.put("value", value(verdict.rule()));
              });
      if (state == State.LIVE) {
        reply.startArray("rules");
        for (RuleVerdict verdict : verdicts) {
          reply.startDocument().put("rule", verdict.rule());
          if (verdict.never().isPresent()) {
            verdict.writeReason(reply);
          } else {
            reply.put("deadline", date.apply(verdict.deadline()));
          }
          reply.put("value", value(verdict.rule())).end();
        }
        reply.end();
      }
    }

    /** The decisive reason why a live document does not expire; empty if it does. */
    public Optional<RuleVerdict> never() {
      return state == State.LIVE && deadline == Deadline.NEVER
          ? Optional.of(verdicts.getFirst())
          : Optional.empty();
    }
  }

  /**
   * Effect of one rule on one document: a deadline, or the reason why there is none.
   *
   * @param rule {@code default}, {@code own}, {@code id}, or {@code index:} and its name; empty if
   *     the collection has no rule
   * @param deadline epoch milliseconds, or {@link Deadline#NEVER}
   * @param never the reason; empty if there is a deadline
   * @param why the reason as a sentence; empty if there is a deadline
   */
  record RuleVerdict(String rule, long deadline, Optional<Never> never, String why) {
    public static RuleVerdict expires(String rule, long deadline) {
      return new RuleVerdict(rule, deadline, Optional.empty(), "");
    }

    /** Writes the reason as code and sentence, if there is no deadline. */
    public void writeReason(DocumentWriter reply) {
      never.ifPresent(reason -> reply.put("never", reason.code()).put("why", why));
    }

    public static RuleVerdict never(String rule, Never reason, String why) {
      return new RuleVerdict(rule, Deadline.NEVER, Optional.of(reason), why);
    }
  }

  /** Reason why a rule, or no rule at all, expires a document. */
  enum Never {
    /** The collection has no rule. */
    NO_RULE("noRule"),
    /** The document has a {@code ttl}, but the collection has no default TTL, not even -1. */
    DEFAULT_OFF("defaultOff"),
    /** The default TTL is -1, and the document has no {@code ttl}. */
    NO_DEFAULT("noDefault"),
    /** The document has {@code ttl: -1}. */
    TTL_NEVER("ttlNever"),
    /** The field does not exist. */
    MISSING("missing"),
    /** The field has a type that the format of the rule does not have. */
    TYPE("type"),
    /** The field has the right type, but its value is no time in the format of the rule. */
    VALUE("value"),
    /** The field is or contains an array, without a time in it. */
    NO_DATE("noDate"),
    /** The filter of the partial index does not match. */
    FILTER("filter"),
    /** The parent does not expire. */
    PARENT("parent"),
    /** No parent has the id. */
    NO_PARENT("noParent"),
    /** The index is being built: its rule takes effect afterwards. */
    BUILDING("building"),
    /** The date in the id is before 1970. */
    BEFORE_EPOCH("beforeEpoch"),
    /** The deadline is beyond all dates. */
    TOO_FAR("tooFar"),
    /** Expiry is paused on this server. */
    PAUSED("paused");

    private final String code;

    Never(String code) {
      this.code = code;
    }

    /** The name in requests and replies. */
    public String code() {
      return code;
    }
  }

  /**
   * Documents that rules cannot expire, by reason, in all live documents or a sample of them.
   *
   * @param sampled how many live documents were looked at
   * @param exact whether these are all
   * @param never documents that no rule expires, by their decisive reason
   * @param byRule documents that a rule does not expire, for each rule; another one may expire them
   */
  record NeverExpiring(long sampled, boolean exact, List<Cause> never, List<Cause> byRule) {
    /** How many keys a cause has as examples. */
    public static final int EXAMPLES = 5;

    /**
     * Documents that are not expired for one reason.
     *
     * @param verdict the same for all of them
     * @param keys some of them
     */
    public record Cause(RuleVerdict verdict, long documents, List<DocumentKey> keys) {}

    public NeverExpiring {
      never = List.copyOf(never);
      byRule = List.copyOf(byRule);
    }

    /** How many of the sampled documents no rule expires. */
    public long documents() {
      return never.stream().mapToLong(Cause::documents).sum();
    }
  }

  /**
   * Live documents in the order of their deadlines.
   *
   * @param documents each once, at its earliest deadline
   * @param next continues after the last document; empty if there are no more
   * @param complete false if the documents had to be sorted, because a lane is being built, and
   *     that took too long: {@code documents} is empty then
   */
  record Soonest(List<Due> documents, Optional<String> next, boolean complete) {
    /**
     * A document that will expire.
     *
     * @param rule the rule of its deadline, as in {@link RuleVerdict}
     */
    public record Due(DocumentKey key, StoredDocument stored, String rule) {}

    public Soonest {
      documents = List.copyOf(documents);
    }
  }

  /**
   * Effect of a change of rules that was not made.
   *
   * @param byRule what would expire at once, by rule as in {@link Forecast}
   * @param keys some of the documents that would expire at once
   * @param rulesTag of the rules to change, see {@link ExpiryService#rulesTag()}
   */
  record WhatIf(SortedMap<String, Usage> byRule, List<DocumentKey> keys, String rulesTag) {
    public WhatIf {
      byRule = Collections.unmodifiableSortedMap(new TreeMap<>(byRule));
      keys = List.copyOf(keys);
    }

    /** What would expire at once. */
    public Usage expired() {
      return byRule.values().stream().reduce(Usage.NONE, Usage::plus);
    }
  }

  /**
   * Effect of an undo that was not made.
   *
   * @param restored documents that would be live again
   * @param until the undo is possible before this instant, in epoch milliseconds
   * @param changedAt when the change was made that would be undone, in epoch milliseconds
   * @param from the rules now
   * @param to the rules after the undo
   */
  record UndoPreview(Usage restored, long until, long changedAt, TimeToLive from, TimeToLive to) {}

  /**
   * Change of rules in the history of a collection.
   *
   * @param number counts the changes of the collection, from 1
   * @param at when it was made, in epoch milliseconds
   * @param undo whether it is an undo
   * @param documents how many documents it has expired or, as an undo, restored; empty if unknown
   * @param by its {@link ChangeAuthor}; empty if unknown
   */
  record RuleChangeEntry(
      int number,
      long at,
      boolean undo,
      TimeToLive from,
      TimeToLive to,
      OptionalLong documents,
      String by) {
    /** How many changes a collection keeps. */
    public static final int MAX_KEPT = 50;

    public Document toDocument() {
      DocumentWriter writer =
          Document.writer()
              .put("number", number)
              .put("at", at)
              .put("undo", undo)
              .put("from", from.toDocument())
              .put("to", to.toDocument())
              .put("by", by);
      documents.ifPresent(count -> writer.put("documents", count));
      return writer.build();
    }

    public static RuleChangeEntry of(Document stored) {
      Value documents = stored.field("documents");
      return new RuleChangeEntry(
          stored.field("number").asInt(),
          stored.field("at").asLong(),
          stored.field("undo").asBoolean(),
          TimeToLive.of(stored.field("from").asDocument()),
          TimeToLive.of(stored.field("to").asDocument()),
          documents.isMissing() ? OptionalLong.empty() : OptionalLong.of(documents.asLong()),
          stored.field("by").asString());
    }
  }

  /**
   * Author of the changes of rules within a call, for {@link ExpiryService#ruleChanges()}. Doors
   * name themselves and the user, if there is one.
   *
   * <pre>{@code
   * ChangeAuthor.as("mongodb: ada@admin", () -> collection.expiry().alter(change, NO_LIMIT));
   * }</pre>
   */
  final class ChangeAuthor {
    private static final ScopedValue<String> CURRENT = ScopedValue.newInstance();

    private ChangeAuthor() {}

    /** Runs an action whose changes have an author. Within another such call, that author stays. */
    public static <T> T as(String author, Supplier<T> action) {
      return CURRENT.isBound()
          ? action.get()
          : ScopedValue.where(CURRENT, author).call(action::get);
    }

    /** The author of changes of this thread; empty if unknown. */
    public static String current() {
      return CURRENT.orElse("");
    }
  }
}

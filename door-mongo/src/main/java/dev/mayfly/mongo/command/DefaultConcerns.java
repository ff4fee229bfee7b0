package dev.mayfly.mongo.command;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Default read and write concern of requests without one, stored in the collection {@code
 * config.settings} as in MongoDB, and cached. A change is durable when it returns. Safe for many
 * threads.
 */
public final class DefaultConcerns {
  private static final Value ID = Value.of("ReadWriteConcernDefaults");
  private static final String READ = "defaultReadConcern";
  private static final String WRITE = "defaultWriteConcern";
  private static final String CHANGED = "updateWallClockTime";
  private static final Set<String> LEVELS = Set.of("local", "available", "majority");

  private final Supplier<Engine> home;
  private final Durability implicit;
  private volatile Stored stored;

  /**
   * The stored defaults.
   *
   * @param read empty if not set
   * @param write empty if not set
   * @param changed the time of the last change as a date; missing for never
   * @param durability of writes without a write concern
   */
  private record Stored(Document read, Document write, Value changed, Durability durability) {}

  /**
   * The defaults that an engine stores.
   *
   * @param implicit the durability of writes as long as no default is set
   */
  public DefaultConcerns(Engine engine, Durability implicit) {
    this(() -> engine, implicit);
    load(HomeCopy.of(engine));
  }

  /**
   * No defaults, until some are loaded.
   *
   * @param home returns the engine that stores them; fails if another server has it
   * @param implicit the durability of writes as long as no default is set
   */
  public DefaultConcerns(Supplier<Engine> home, Durability implicit) {
    this.home = home;
    this.implicit = implicit;
    this.stored = stored(Document.EMPTY, Document.EMPTY, Value.MISSING);
  }

  /** Replaces the defaults by those of a copy. */
  public synchronized void load(HomeCopy copy) {
    stored =
        copy.documents(HomeCopy.SETTINGS).stream()
            .filter(found -> found.field("_id").equals(ID))
            .map(found -> stored(member(found, READ), member(found, WRITE), found.field(CHANGED)))
            .findFirst()
            .orElseGet(() -> stored(Document.EMPTY, Document.EMPTY, Value.MISSING));
  }

  private static Document member(Document document, String name) {
    Value value = document.field(name);
    return value.isDocument() ? value.asDocument() : Document.EMPTY;
  }

  private Stored stored(Document read, Document write, Value changed) {
    return new Stored(read, write, changed, WriteConcern.of(write, implicit).durability());
  }

  /** The durability of writes without a write concern. */
  public Durability durability() {
    return stored.durability();
  }

  /**
   * Sets the defaults that a request names.
   *
   * @throws CommandException if they cannot be defaults
   */
  public synchronized void set(Request request) {
    if (!request.has(READ) && !request.has(WRITE)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "At least one of the \"" + READ + "\" or \"" + WRITE + "\" fields must be present");
    }
    Stored before = stored;
    Document read = request.has(READ) ? read(request.document(READ)) : before.read();
    Document write =
        request.has(WRITE) ? write(request.document(WRITE), before.write()) : before.write();
    Stored after = stored(read, write, Value.date(request.now()));
    store(after);
    stored = after;
  }

  private static Document read(Document requested) {
    Section section = new Section("setDefaultRWConcern." + READ, requested).allow(Set.of("level"));
    Value level = section.field("level");
    boolean fits =
        level.isMissing() || (level.type() == Type.STRING && LEVELS.contains(level.asString()));
    if (!fits) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "level: " + level + " is not suitable for the default read concern");
    }
    return level.isMissing() ? Document.EMPTY : requested;
  }

  private Document write(Document requested, Document before) {
    new Section("setDefaultRWConcern." + WRITE, requested).allow(Set.of("w", "j", "wtimeout"));
    if (requested.isEmpty()) {
      if (!before.isEmpty()) {
        throw new CommandException(
            ErrorCode.ILLEGAL_OPERATION,
            "The global default write concern cannot be unset once it is set.");
      }
      return requested;
    }
    Value w = requested.field("w");
    if (w.isNumber() && w.asDouble() == 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Unacknowledged write concern is not suitable for the default write concern");
    }
    if (!WriteConcern.of(requested, implicit).satisfiable()) {
      throw new CommandException(
          new ErrorCode(100, "UnsatisfiableWriteConcern"), "Not enough data-bearing nodes");
    }
    return requested;
  }

  private void store(Stored defaults) {
    Document document =
        Document.writer()
            .put("_id", ID)
            .put(READ, defaults.read())
            .put(WRITE, defaults.write())
            .put(CHANGED, defaults.changed())
            .build();
    Engine engine = home.get();
    Collection settings =
        engine
            .find(HomeCopy.SETTINGS)
            .orElseGet(() -> engine.create(HomeCopy.SETTINGS, CollectionSpec.mongo()));
    boolean known = settings.read(DocumentKey.of(ID)).isPresent();
    Write write = known ? new Write.Replace(document) : new Write.Insert(document);
    settings.write(List.of(write), Grouping.ATOMIC, Durability.SYNCED).only();
  }

  /** Writes the defaults and their source. */
  public void describe(Request request, DocumentWriter reply) {
    Stored now = stored;
    if (now.read().isEmpty()) {
      reply.startDocument(READ).put("level", "local").end();
    } else {
      reply.put(READ, now.read());
    }
    writeConcern(now.write(), reply);
    if (!now.changed().isMissing()) {
      reply.put("updateOpTime", ClusterTime.of(now.changed().asDate()));
      reply.put(CHANGED, now.changed());
    }
    reply
        .put(READ + "Source", source(now.read()))
        .put(WRITE + "Source", source(now.write()))
        .put("localUpdateWallClockTime", Value.date(request.now()));
  }

  private void writeConcern(Document set, DocumentWriter reply) {
    Value w = set.field("w");
    Value standard = implicit == Durability.SYNCED ? Value.of("majority") : Value.of(1);
    Value wait = set.field("wtimeout");
    reply
        .startDocument(WRITE)
        .put("w", w.isMissing() ? standard : w)
        .put("j", set.field("j"))
        .put("wtimeout", wait.isMissing() ? Value.of(0) : wait)
        .end();
  }

  private static String source(Document set) {
    return set.isEmpty() ? "implicit" : "global";
  }
}

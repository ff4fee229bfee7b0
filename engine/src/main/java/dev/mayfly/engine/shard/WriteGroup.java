package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.catalog.Sequence;
import dev.mayfly.engine.storage.KeyLookup;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.OwnTtl;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns a group of writes into one batch: record, index entries, lane entries and change of every
 * document together. Lives under the shard's lock, for one group.
 *
 * <p>A write is decided in full, and has read all it needs, before it adds anything to the batch:
 * one that is refused, or cannot read without waiting, leaves nothing behind. Later writes of a
 * group see earlier ones.
 */
public final class WriteGroup {
  private final CompiledCollection compiled;
  private final Liveness liveness;
  private final SweptLanes sweptLanes;
  private final Reader reader;
  private final Sequence sequence;
  private final LaneCursors lanes;
  private final HighestKeys highestKeys;
  private final TransactionLocks.Guard guard;
  private final TransactionId transaction;
  private final long now;

  private final Batch batch;
  private final DocumentCounts.Delta delta;
  private final FeedWriter feedWriter;
  private final Charge charge = new Charge();
  private final Map<ByteKey, byte[]> written = new HashMap<>();
  private final Map<ByteKey, byte[]> uniqueWritten = new HashMap<>();

  /** What this group has deleted, and when that was born. */
  private final Map<ByteKey, Long> ended = new HashMap<>();

  private final List<byte[]> arrived = new ArrayList<>();
  private final IndexEntryKeys keys;
  private final UniqueChecks guarded;
  private final HeaderFields life = new HeaderFields();
  private final byte[] entryHeader = new byte[Header.MAX_LENGTH];
  private long lastArrival;
  private long arrivalsBegin = Long.MIN_VALUE;

  private static final byte[] GONE = {};

  /** A document that is inserted is born with its version. */
  private static final long OWN_BIRTH = -1;

  /**
   * How a document is put over what is stored under its key.
   *
   * @param kind how the feed tells it; an insert follows no live document: if something is stored
   *     it is dead, and its life is closed first
   * @param birth what an insert is to be born with
   * @param note what the feed is to tell besides
   */
  private record Putting(Kind kind, long birth, Document note) {
    static final Putting INSERT = insert(OWN_BIRTH);
    static final Putting UPDATE = new Putting(Kind.UPDATE, OWN_BIRTH, Document.EMPTY);

    static Putting insert(long birth) {
      return new Putting(Kind.INSERT, birth, Document.EMPTY);
    }

    /** Whether a live document gives way. */
    boolean overLive() {
      return kind != Kind.INSERT;
    }
  }

  /** A stored document and what it has in indexes. */
  private static final class Standing {
    final PrimaryKey key;
    final byte[] record;

    /** Per index, all keys of its values. */
    final List<List<byte[]>> keys;

    /** Per index, the keys whose entries are to be removed. */
    final List<List<byte[]>> leaving;

    Standing(PrimaryKey key, byte[] record, List<List<byte[]>> keys, List<List<byte[]>> leaving) {
      this.key = key;
      this.record = record;
      this.keys = keys;
      this.leaving = leaving;
    }

    Document document() {
      return documentOf(record);
    }
  }

  WriteGroup(
      CompiledCollection compiled,
      Liveness liveness,
      SweptLanes sweptLanes,
      Reader reader,
      Sequence sequence,
      LaneCursors lanes,
      HighestKeys highestKeys,
      IndexEntryKeys keys,
      Batch batch,
      DocumentCounts documentCounts,
      TransactionLocks.Guard guard,
      TransactionId transaction,
      long now) {
    this.compiled = compiled;
    this.guard = guard;
    this.transaction = transaction;
    this.liveness = liveness;
    this.sweptLanes = sweptLanes;
    this.reader = reader;
    this.sequence = sequence;
    this.lanes = lanes;
    this.highestKeys = highestKeys;
    this.keys = keys;
    this.batch = batch;
    this.delta = documentCounts.delta();
    this.feedWriter =
        new FeedWriter(
            compiled.spec().feed().images(),
            transaction,
            sequence,
            batch,
            delta,
            documentCounts.totals().offset(),
            now);
    this.now = now;
    this.guarded = new UniqueChecks(reader, this::live);
  }

  public Batch batch() {
    return batch;
  }

  public DocumentCounts.Delta delta() {
    return delta;
  }

  /** What this group reads from. */
  Reader reader() {
    return reader;
  }

  /** When the last document came into a capped collection; 0 when none did. */
  long lastArrival() {
    return lastArrival;
  }

  /** Below this position no arrival of a capped collection is left once this is committed. */
  long arrivalsBegin() {
    return arrivalsBegin;
  }

  void arrivalsBeginAt(long position) {
    arrivalsBegin = position;
  }

  /** What this group tells the feed. */
  public FeedWriter feedWriter() {
    return feedWriter;
  }

  public Charge charge() {
    return charge;
  }

  /** The primary keys this group has put into a capped collection, oldest first. */
  List<byte[]> arrived() {
    return arrived;
  }

  /** Decides one write and adds what it takes to the batch; throws when it is refused. */
  public WriteOutcome apply(Write write) {
    return switch (write) {
      case Write.Insert(Document document) -> insert(document, OWN_BIRTH);
      case Write.InsertRenamed(DocumentKey of, Document document) -> insert(document, birthOf(of));
      case Write.Upsert(Document document, long version) -> upsert(document, version);
      case Write.Replace(Document document, long version) -> {
        PrimaryKey key = PrimaryKey.of(compiled.spec(), document);
        byte[] existing = liveRecord(key);
        checkVersion(existing, version);
        yield replace(key, existing, document);
      }
      case Write.Update update -> update(update);
      case Write.Touch touch -> rewrite(touch);
      case Write.Delete(DocumentKey documentKey, long version) -> {
        byte[] existing = liveRecord(PrimaryKey.of(compiled.spec(), documentKey));
        checkVersion(existing, version);
        Document before = documentOf(existing);
        PrimaryKey key = PrimaryKey.of(compiled.spec(), before);
        delete(key, existing, Cause.WRITE);
        ended.put(new ByteKey(key.bytes()), Header.born(existing, 0));
        yield new WriteOutcome.Deleted(before);
      }
    };
  }

  /** The birth of a document that this group has deleted, for the one that follows it. */
  private long birthOf(DocumentKey deleted) {
    if (compiled.spec().capped() || !transaction.equals(TransactionId.NONE)) {
      throw new EngineException(Reason.BAD_SPEC, "a document has no heir here");
    }
    Long birth = ended.get(new ByteKey(PrimaryKey.of(compiled.spec(), deleted).bytes()));
    if (birth == null) {
      throw new EngineException(Reason.NOT_FOUND, compiled.state().namespace().toString());
    }
    return birth;
  }

  private WriteOutcome insert(Document document, long birth) {
    PrimaryKey key = PrimaryKey.of(compiled.spec(), document);
    guard.checkDocument(key.bytes());
    byte[] existing = inTheWay(key.bytes());
    if (existing != null && liveness.isLive(existing, key.bytes())) {
      FieldPath id = compiled.spec().dialect().id();
      Value held = document.at(id);
      throw EngineException.duplicate(
          Reason.DUPLICATE_ID, held.toString(), Document.writer().put(id.toString(), held).build());
    }
    return new WriteOutcome.Inserted(put(key, existing, document, Putting.insert(birth)));
  }

  private WriteOutcome upsert(Document document, long version) {
    PrimaryKey key = PrimaryKey.of(compiled.spec(), document);
    guard.checkDocument(key.bytes());
    byte[] existing = inTheWay(key.bytes());
    if (existing != null && liveness.isLive(existing, key.bytes())) {
      checkVersion(existing, version);
      return replace(key, existing, document);
    }
    return new WriteOutcome.Inserted(put(key, existing, document, Putting.INSERT));
  }

  private WriteOutcome replace(PrimaryKey key, byte[] existing, Document document) {
    Document before = documentOf(existing);
    return new WriteOutcome.Updated(before, put(key, existing, document, Putting.UPDATE));
  }

  private WriteOutcome update(Write.Update update) {
    PrimaryKey key = PrimaryKey.of(compiled.spec(), update.key());
    byte[] existing = liveRecord(key);
    checkVersion(existing, update.version());
    Document before = documentOf(existing);
    Document after = update.change().apply(before);
    if (after.equals(before)) {
      charge.add(Charge.read(before.length()));
      return new WriteOutcome.Unchanged(stored(existing));
    }
    Putting putting =
        new Putting(update.whole() ? Kind.REPLACE : Kind.UPDATE, OWN_BIRTH, update.change().note());
    return new WriteOutcome.Updated(before, put(sameKey(key, after), existing, after, putting));
  }

  private WriteOutcome rewrite(Write.Touch touch) {
    PrimaryKey key = PrimaryKey.of(compiled.spec(), touch.key());
    byte[] existing = liveRecord(key);
    checkVersion(existing, touch.version());
    Document before = documentOf(existing);
    Document after = touch.change().apply(stored(existing));
    return new WriteOutcome.Updated(
        before, put(sameKey(key, after), existing, after, Putting.UPDATE));
  }

  /** The key of a changed document, as it spells it. */
  private PrimaryKey sameKey(PrimaryKey key, Document after) {
    PrimaryKey spelled = PrimaryKey.of(compiled.spec(), after);
    if (!Arrays.equals(spelled.bytes(), key.bytes())) {
      throw new EngineException(Reason.BAD_KEY, "an update cannot change the id or partition key");
    }
    return spelled;
  }

  private StoredDocument stored(byte[] record) {
    return ShardOwner.stored(compiled.schedule(), record);
  }

  private byte[] liveRecord(PrimaryKey key) {
    guard.checkDocument(key.bytes());
    byte[] existing = current(key.bytes());
    if (existing == null || !liveness.isLive(existing, key.bytes())) {
      throw new EngineException(Reason.NOT_FOUND, compiled.state().namespace().toString());
    }
    return existing;
  }

  private static void checkVersion(byte[] existing, long version) {
    if (version != Write.ANY_VERSION && version != Header.sequence(existing, 0)) {
      throw new EngineException(Reason.VERSION_MISMATCH, "the document has changed");
    }
  }

  private byte @Nullable [] live(byte[] primaryKey) {
    byte[] record = current(primaryKey);
    return record == null || !liveness.isLive(record, primaryKey) ? null : record;
  }

  /** The records this group has written, by primary key; empty ones are gone. */
  public Map<ByteKey, byte[]> written() {
    return written;
  }

  /** As {@link #current}, where there mostly is none. */
  private byte @Nullable [] inTheWay(byte[] primaryKey) {
    return highestKeys.rulesOut(primaryKey) ? null : current(primaryKey);
  }

  /** The record under a primary key as this group has left it, live or not. */
  public byte @Nullable [] current(byte[] primaryKey) {
    if (!written.isEmpty()) {
      byte[] ours = written.get(new ByteKey(primaryKey));
      if (ours != null) {
        return ours.length == 0 ? null : ours;
      }
    }
    return reader.read(Space.RECORDS, primaryKey);
  }

  /** Writes a document over what is stored under its key. */
  private StoredDocument put(
      PrimaryKey key, byte @Nullable [] existing, Document document, Putting putting) {
    boolean live = putting.overLive();
    if (compiled.checksTtl()) {
      OwnTtl.check(document);
    }
    List<List<byte[]>> newKeys = keys.of(compiled, key, document, now);
    checkGuarded(key, live && existing != null ? documentOf(existing) : Document.EMPTY, document);
    List<Standing> dead = deadHolders(key, document, newKeys);
    Standing before = existing == null ? null : standing(key, existing, live ? newKeys : List.of());
    dead.forEach(this::evict);
    if (before != null && !live) {
      bury(before);
    }
    long version = sequence.next();
    long first = putting.birth() == OWN_BIRTH ? version : putting.birth();
    long born = live && existing != null ? Header.born(existing, 0) : first;
    fillLife(version, born, document);
    byte[] record = recordOf(document);
    batch.put(Space.RECORDS, key.bytes(), record);
    highestKeys.add(key.bytes());
    int terms = putEntries(key, live ? before : null, newKeys);
    putLanes(key, existing, record, document.length());
    if (compiled.spec().capped() && !live) {
      batch.put(Space.QUEUES, Layout.arrival(born), key.bytes());
      arrived.add(key.bytes());
      lastArrival = born;
    }
    delta.added(record, document.length());
    if (live && before != null) {
      Document replaced = before.document();
      delta.removed(before.record, replaced.length());
      charge.add(Charge.write(replaced.length()));
      feedWriter.write(
          putting.kind(), Cause.WRITE, version, key, replaced, document, putting.note());
    } else {
      feedWriter.write(
          Kind.INSERT, Cause.WRITE, version, key, Document.EMPTY, document, Document.EMPTY);
    }
    charge.add(Charge.write(document.length()) + terms * Charge.TERM);
    written.put(new ByteKey(key.bytes()), record);
    return stored(record);
  }

  private void fillLife(long version, long born, Document document) {
    life.begin(version, born, now, OwnTtl.of(document));
    for (Lane lane : compiled.explicit()) {
      life.place(lane.number(), lane.places().of(document));
    }
  }

  private byte[] recordOf(Document document) {
    int headerLength = Header.write(life, true, entryHeader, 0);
    byte[] record = new byte[headerLength + document.length()];
    System.arraycopy(entryHeader, 0, record, 0, headerLength);
    System.arraycopy(document.buffer(), document.offset(), record, headerLength, document.length());
    return record;
  }

  private void checkGuarded(PrimaryKey key, Document before, Document document) {
    for (IndexState index : compiled.state().indexes()) {
      if (index.spec().guarded()) {
        guarded.check(index, key, before, document, guard);
      }
    }
  }

  /**
   * Refuses keys that live documents hold, and finds the dead ones that hold one: they must go for
   * good, or undoing a rule change would bring back a second holder.
   */
  private List<Standing> deadHolders(
      PrimaryKey key, Document document, List<List<byte[]>> newKeys) {
    List<Standing> dead = new ArrayList<>();
    List<IndexState> indexes = compiled.state().indexes();
    for (int i = 0; i < indexes.size(); i++) {
      if (indexes.get(i).spec().unique()) {
        for (byte[] entryKey : newKeys.get(i)) {
          deadHolder(indexes.get(i), key, document, entryKey).ifPresent(dead::add);
        }
      }
    }
    return dead;
  }

  private Optional<Standing> deadHolder(
      IndexState index, PrimaryKey key, Document document, byte[] entryKey) {
    guard.checkUniqueKey(entryKey);
    byte[] entry = uniqueEntry(entryKey);
    if (entry == null) {
      return Optional.empty();
    }
    byte[] holder = IndexEntryValues.uniqueHolder(entry);
    if (Arrays.equals(holder, key.bytes())) {
      return Optional.empty();
    }
    byte[] record = current(holder);
    if (record == null || Header.born(record, 0) != Header.born(entry, 0)) {
      return Optional.empty();
    }
    if (liveness.isLive(record, holder)) {
      guard.checkDocument(holder);
      throw IndexEntryKeys.duplicate(index, document, entryKey);
    }
    return Optional.of(standing(record));
  }

  /** Removes a dead document before its time of sweeping. */
  public void evict(byte[] holder) {
    byte[] record = current(holder);
    if (record != null) {
      evict(standing(record));
    }
  }

  /** As {@link #evict(byte[])}, unless that was done already: it may hold several keys. */
  private void evict(Standing dead) {
    ByteKey holder = new ByteKey(dead.key.bytes());
    byte[] ours = written.get(holder);
    if (ours != null && ours.length == 0) {
      return;
    }
    bury(dead);
    batch.delete(Space.RECORDS, dead.key.bytes());
    removeLaneEntries(dead.key, dead.record);
    written.put(holder, GONE);
  }

  /** The entry of a unique index as this group has left it. */
  public byte @Nullable [] uniqueEntry(byte[] entryKey) {
    if (!uniqueWritten.isEmpty()) {
      byte[] ours = uniqueWritten.get(new ByteKey(entryKey));
      if (ours != null) {
        return ours.length == 0 ? null : ours;
      }
    }
    return reader.read(Space.ENTRIES, entryKey);
  }

  /**
   * Writes the entries of a document and removes those of the live one it replaces, if there is
   * one.
   *
   * @return how many entries there are more or less
   */
  private int putEntries(PrimaryKey key, @Nullable Standing before, List<List<byte[]>> newKeys) {
    List<IndexState> indexes = compiled.state().indexes();
    if (indexes.isEmpty()) {
      return 0;
    }
    int headerLength = Header.write(life, compiled.covers(), entryHeader, 0);
    boolean rewrite = before == null || !sameLife(before.record);
    int terms = 0;
    for (int i = 0; i < indexes.size(); i++) {
      IndexState index = indexes.get(i);
      List<byte[]> fresh = newKeys.get(i);
      KeyLookup old = KeyLookup.of(before == null ? List.of() : before.keys.get(i));
      boolean behind = behind(index);
      for (byte[] entryKey : fresh) {
        boolean stays = old.contains(entryKey);
        terms += stays || unpaid(index) ? 0 : 1;
        if (!behind && (rewrite || !stays)) {
          putEntry(index, key, entryKey, entryHeader, headerLength);
        }
      }
      List<byte[]> leaving = before == null ? List.of() : before.leaving.get(i);
      KeyLookup kept = KeyLookup.of(leaving.isEmpty() ? List.of() : fresh);
      for (byte[] entryKey : leaving) {
        terms += unpaid(index) || kept.contains(entryKey) ? 0 : 1;
        removeEntry(index, entryKey);
      }
    }
    return terms;
  }

  /** Nobody has asked for the time of writes to be indexed. */
  private static boolean unpaid(IndexState index) {
    return index.spec().tellsWriteTime() && index.spec().parts().size() == 1;
  }

  /** Whether entries of an index follow behind the write; a unique one never does. */
  private boolean behind(IndexState index) {
    return compiled.spec().indexing() == IndexingMode.LAZY && !index.spec().unique();
  }

  /** Whether entries that are there tell the same life as the ones to be written would. */
  private boolean sameLife(byte[] existing) {
    if (compiled.covers() && Header.sequence(existing, 0) < compiled.state().coverSince()) {
      return false;
    }
    for (Lane lane : compiled.explicit()) {
      // a place in an earlier lane of that number
      if (Header.sequence(existing, 0) < lane.since()
          && Header.place(existing, 0, lane.number()) != Header.NO_PLACE) {
        return false;
      }
    }
    return Header.sameLife(existing, entryHeader);
  }

  public void putEntry(
      IndexState index, PrimaryKey key, byte[] entryKey, byte[] header, int headerLength) {
    byte[] value = IndexEntryValues.value(index, key, header, headerLength);
    batch.put(Space.ENTRIES, entryKey, value);
    if (index.spec().unique()) {
      uniqueWritten.put(new ByteKey(entryKey), value);
    }
  }

  private void removeEntry(IndexState index, byte[] entryKey) {
    batch.delete(Space.ENTRIES, entryKey);
    if (index.spec().unique()) {
      uniqueWritten.put(new ByteKey(entryKey), GONE);
    }
  }

  private void putLanes(PrimaryKey key, byte @Nullable [] existing, byte[] record, int size) {
    for (Lane lane : compiled.kept()) {
      long before = existing == null ? Header.NO_PLACE : Schedule.placeOf(lane, existing);
      long place = Header.place(record, 0, lane.number());
      if (before != Header.NO_PLACE && before != place) {
        batch.delete(Space.QUEUES, Layout.lane(lane.number(), before, key.bytes()));
        lanes.left(lane.number(), before);
      }
      if (place != Header.NO_PLACE) {
        byte[] laneKey = Layout.lane(lane.number(), place, key.bytes());
        batch.put(Space.QUEUES, laneKey, IndexEntryValues.lane(record, size, key.spelled()));
        lanes.written(lane.number(), laneKey, place, Deadline.of(place, lane.lifeMillis()));
      }
    }
  }

  /** Closes the life of a dead document whose key or place another takes. */
  private void bury(Standing dead) {
    Document before = dead.document();
    if (!sweptLanes.covers(dead.record, dead.key.bytes())) {
      delta.removed(dead.record, before.length());
      feedWriter.expiry(
          PrimaryKey.of(compiled.spec(), before),
          compiled.schedule().at(now).expiredAt(dead.record, true),
          before);
    }
    removeEntries(dead);
    lanes.disturbed();
    removeArrival(dead.record);
  }

  /** Removes index entries that still belong to this life of the document. */
  private void removeEntries(Standing standing) {
    List<IndexState> indexes = compiled.state().indexes();
    for (int i = 0; i < indexes.size(); i++) {
      for (byte[] entryKey : standing.leaving.get(i)) {
        removeEntry(indexes.get(i), entryKey);
      }
    }
  }

  private void removeArrival(byte[] record) {
    if (compiled.spec().capped()) {
      batch.delete(Space.QUEUES, Layout.arrival(Header.born(record, 0)));
    }
  }

  /** A stored document that is to go altogether. */
  private Standing standing(byte[] record) {
    return standing(PrimaryKey.of(compiled.spec(), documentOf(record)), record, List.of());
  }

  /**
   * A stored document, to whose entries others follow.
   *
   * @param staying per index, the keys that keep their entries; empty when none does
   */
  private Standing standing(PrimaryKey key, byte[] record, List<List<byte[]>> staying) {
    List<List<byte[]>> all = keys.of(compiled, key, record);
    List<List<byte[]>> leaving = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      IndexState index = compiled.state().indexes().get(i);
      KeyLookup stay =
          KeyLookup.of(staying.isEmpty() || behind(index) ? List.of() : staying.get(i));
      List<byte[]> leave = new ArrayList<>(all.get(i).size());
      for (byte[] entryKey : all.get(i)) {
        if (!stay.contains(entryKey) && isOwn(index, key, record, entryKey)) {
          leave.add(entryKey);
        }
      }
      leaving.add(leave);
    }
    return new Standing(key, record, all, leaving);
  }

  /** A unique entry may be another's while the index is built: it then holds none of this one. */
  private boolean isOwn(IndexState index, PrimaryKey key, byte[] record, byte[] entryKey) {
    return !index.spec().unique() || holds(key, record, entryKey);
  }

  private boolean holds(PrimaryKey key, byte[] existing, byte[] entryKey) {
    byte[] entry = uniqueEntry(entryKey);
    return entry != null
        && Arrays.equals(IndexEntryValues.uniqueHolder(entry), key.bytes())
        && Header.born(entry, 0) == Header.born(existing, 0);
  }

  /** Removes a live document. */
  void delete(PrimaryKey key, byte[] existing, Cause cause) {
    Standing standing = standing(key, existing, List.of());
    Document before = standing.document();
    batch.delete(Space.RECORDS, key.bytes());
    removeEntries(standing);
    removeLaneEntries(key, existing);
    removeArrival(existing);
    delta.removed(existing, before.length());
    charge.add(Charge.write(before.length()) + terms(standing.keys) * Charge.TERM);
    feedWriter.write(
        Kind.DELETE, cause, sequence.next(), key, before, Document.EMPTY, Document.EMPTY);
    written.put(new ByteKey(key.bytes()), GONE);
  }

  private int terms(List<List<byte[]>> keysOfAll) {
    int terms = 0;
    for (int i = 0; i < keysOfAll.size(); i++) {
      terms += unpaid(compiled.state().indexes().get(i)) ? 0 : keysOfAll.get(i).size();
    }
    return terms;
  }

  /** Removes all that is stored of a dead document, for a store that cannot drop it by itself. */
  public void sweepAway(PrimaryKey key, byte[] existing) {
    Standing standing = standing(key, existing, List.of());
    batch.delete(Space.RECORDS, key.bytes());
    removeEntries(standing);
    removeLaneEntries(key, existing);
    removeArrival(existing);
  }

  private void removeLaneEntries(PrimaryKey key, byte[] existing) {
    for (Lane lane : compiled.kept()) {
      long place = Schedule.placeOf(lane, existing);
      if (place != Header.NO_PLACE) {
        batch.delete(Space.QUEUES, Layout.lane(lane.number(), place, key.bytes()));
        lanes.left(lane.number(), place);
      }
    }
  }

  public static Document documentOf(byte[] record) {
    return Document.trusted(record, Header.length(record, 0));
  }
}

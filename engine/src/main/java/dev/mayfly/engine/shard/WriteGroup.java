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
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.catalog.Sequence;
import dev.mayfly.engine.catalog.SlidingLanes;
import dev.mayfly.engine.liveness.Departures;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.liveness.ParentLookup;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.engine.storage.GroupRecords;
import dev.mayfly.engine.storage.KeyLookup;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.OwnTtl;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
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
 * Write group: decides writes and collects them in one batch, with the record, index entries, lane
 * entries and feed entry of every document. Used for one commit. A group either holds the shard's
 * lock exclusively, or shares it with other groups and locks each key that it uses.
 *
 * <p>A write is decided completely, with all its reads, before it adds anything to the batch. A
 * write that is rejected, or that cannot read without waiting, therefore leaves nothing in the
 * batch. Later writes of a group see earlier ones.
 */
public final class WriteGroup {
  private final CompiledCollection compiled;
  private final Liveness liveness;
  private final SweptLanes sweptLanes;
  private final Reader reader;
  private final Sequence sequence;
  private final Family family;
  private final LaneChanges lanes = new LaneChanges();
  private final HighestKeys highestKeys;
  private final TransactionLocks.Guard guard;
  private final KeyClaims claims;
  private final TransactionId transaction;
  private final long now;

  private final Batch batch;
  private final DocumentCounts.Delta delta;
  private final FeedWriter feedWriter;
  private final Charge charge = new Charge();
  private final GroupRecords written = new GroupRecords();
  private final GroupRecords uniqueWritten = new GroupRecords();

  /** Departures of parents that this group has written. Null if there are none. */
  private @Nullable GroupRecords departed;

  /** Images of expired documents that this group adds to the archive queue. */
  private Usage archived = Usage.NONE;

  /** Documents that this group has deleted, with their birth sequence. */
  private Map<ByteKey, Long> ended = Map.of();

  private List<byte[]> arrived = List.of();
  private final IndexEntryKeys keys;
  private final HeaderFields headerFields;
  private final byte[] entryHeader;

  /** Null before the first check. */
  private @Nullable UniqueChecks uniqueChecks;

  private long lastArrival;
  private long arrivalsBegin = Long.MIN_VALUE;

  /** The birth of an inserted document is its version. */
  private static final long OWN_BIRTH = -1;

  /**
   * How a document replaces the stored one.
   *
   * @param kind the kind of change in the feed; for INSERT, a stored record is expired, and its
   *     expiry is written first
   * @param birth the birth sequence of an insert
   * @param note additional information for readers of the feed
   */
  private record PutOptions(Kind kind, long birth, Document note) {
    static final PutOptions INSERT = insert(OWN_BIRTH);
    static final PutOptions UPDATE = new PutOptions(Kind.UPDATE, OWN_BIRTH, Document.EMPTY);

    static PutOptions insert(long birth) {
      return new PutOptions(Kind.INSERT, birth, Document.EMPTY);
    }

    /** Returns whether it replaces a live document. */
    boolean replacesLive() {
      return kind != Kind.INSERT;
    }
  }

  /** A stored document and its index entries. */
  private static final class IndexedRecord {
    final PrimaryKey key;
    final byte[] record;

    /** Per index, all keys of the document. */
    final List<List<byte[]>> keys;

    /** Per index, the keys of entries to remove. */
    final List<List<byte[]>> leaving;

    IndexedRecord(
        PrimaryKey key, byte[] record, List<List<byte[]>> keys, List<List<byte[]>> leaving) {
      this.key = key;
      this.record = record;
      this.keys = keys;
      this.leaving = leaving;
    }

    Document document() {
      return RecordFormat.document(record);
    }
  }

  WriteGroup(
      CompiledCollection compiled,
      Family family,
      Liveness liveness,
      SweptLanes sweptLanes,
      Reader reader,
      Sequence sequence,
      HighestKeys highestKeys,
      WriteBuffers buffers,
      DocumentCounts documentCounts,
      KeyClaims claims,
      TransactionLocks.Guard guard,
      TransactionId transaction,
      long now) {
    this.compiled = compiled;
    this.family = family;
    this.claims = claims;
    this.guard = guard;
    this.transaction = transaction;
    this.liveness = liveness;
    this.sweptLanes = sweptLanes;
    this.reader = reader;
    this.sequence = sequence;
    this.highestKeys = highestKeys;
    this.keys = buffers.keys();
    this.headerFields = buffers.headerFields();
    this.entryHeader = buffers.entryHeader();
    this.batch = buffers.batch();
    this.delta = documentCounts.delta();
    this.feedWriter =
        new FeedWriter(
            compiled.spec().feed().images(),
            transaction,
            sequence,
            batch,
            buffers.change(),
            delta,
            documentCounts.totals().offset(),
            now);
    this.now = now;
  }

  public Batch batch() {
    return batch;
  }

  public DocumentCounts.Delta delta() {
    return delta;
  }

  /** The reader of this group. */
  Reader reader() {
    return reader;
  }

  /** The birth of the last document inserted into a capped collection; 0 if there is none. */
  long lastArrival() {
    return lastArrival;
  }

  /** The position below which a capped collection has no arrival after the commit. */
  long arrivalsBegin() {
    return arrivalsBegin;
  }

  void arrivalsBeginAt(long position) {
    arrivalsBegin = position;
  }

  /** The lane entries that this group adds and removes. */
  LaneChanges laneChanges() {
    return lanes;
  }

  /** Locks the keys that this group uses. */
  KeyClaims claims() {
    return claims;
  }

  /** The parts of each index that have met an array in this group, in the order of the indexes. */
  long[] multikey() {
    return keys.arrays(compiled);
  }

  /** The instant at which its writes are decided. */
  long now() {
    return now;
  }

  /** The feed entries of this group. */
  public FeedWriter feedWriter() {
    return feedWriter;
  }

  public Charge charge() {
    return charge;
  }

  /** The primary keys that this group has inserted into a capped collection, oldest first. */
  List<byte[]> arrived() {
    return arrived;
  }

  /**
   * Decides one write and adds its operations to the batch.
   *
   * @throws EngineException if the write is rejected
   */
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
        Document before = RecordFormat.document(existing);
        PrimaryKey key = PrimaryKey.of(compiled.spec(), before);
        if (family.followsDeletes()) {
          claims.departure();
        }
        delete(key, existing, Cause.WRITE);
        ended = ended.isEmpty() ? new HashMap<>() : ended;
        ended.put(new ByteKey(key.bytes()), Header.born(existing, 0));
        yield new WriteOutcome.Deleted(before);
      }
    };
  }

  /**
   * Returns the birth of a document that this group has deleted, for the document that replaces it
   * under another id.
   */
  private long birthOf(DocumentKey deleted) {
    if (compiled.spec().capped() || !transaction.equals(TransactionId.NONE)) {
      throw new EngineException(
          Reason.BAD_SPEC, "a rename is not supported in transactions and capped collections");
    }
    Long birth = ended.get(new ByteKey(PrimaryKey.of(compiled.spec(), deleted).bytes()));
    if (birth == null) {
      throw new EngineException(Reason.NOT_FOUND, compiled.state().namespace().toString());
    }
    return birth;
  }

  private WriteOutcome insert(Document document, long birth) {
    PrimaryKey key = PrimaryKey.of(compiled.spec(), document);
    claim(key);
    byte[] existing = currentForInsert(key.bytes());
    if (existing != null && liveness.isLive(existing, key.bytes())) {
      FieldPath id = compiled.spec().dialect().id();
      Value held = document.at(id);
      throw EngineException.duplicate(
          Reason.DUPLICATE_ID, held.toString(), Document.writer().put(id.toString(), held).build());
    }
    PutOptions options = birth == OWN_BIRTH ? PutOptions.INSERT : PutOptions.insert(birth);
    return new WriteOutcome.Inserted(put(key, existing, document, options));
  }

  private WriteOutcome upsert(Document document, long version) {
    PrimaryKey key = PrimaryKey.of(compiled.spec(), document);
    claim(key);
    byte[] existing = currentForInsert(key.bytes());
    if (existing != null && liveness.isLive(existing, key.bytes())) {
      checkVersion(existing, version);
      return replace(key, existing, document);
    }
    return new WriteOutcome.Inserted(put(key, existing, document, PutOptions.INSERT));
  }

  private WriteOutcome replace(PrimaryKey key, byte[] existing, Document document) {
    Document before = RecordFormat.document(existing);
    return new WriteOutcome.Updated(before, put(key, existing, document, PutOptions.UPDATE));
  }

  private WriteOutcome update(Write.Update update) {
    PrimaryKey key = PrimaryKey.of(compiled.spec(), update.key());
    byte[] existing = liveRecord(key);
    checkVersion(existing, update.version());
    Document before = RecordFormat.document(existing);
    Document after = update.change().apply(before);
    if (after.equals(before)) {
      charge.add(Charge.read(before.length()));
      return new WriteOutcome.Unchanged(stored(existing));
    }
    PutOptions options =
        new PutOptions(
            update.whole() ? Kind.REPLACE : Kind.UPDATE, OWN_BIRTH, update.change().note());
    return new WriteOutcome.Updated(before, put(sameKey(key, after), existing, after, options));
  }

  private WriteOutcome rewrite(Write.Touch touch) {
    PrimaryKey key = PrimaryKey.of(compiled.spec(), touch.key());
    byte[] existing = liveRecord(key);
    checkVersion(existing, touch.version());
    Document before = RecordFormat.document(existing);
    Document after = touch.change().apply(stored(existing));
    return new WriteOutcome.Updated(
        before, put(sameKey(key, after), existing, after, PutOptions.UPDATE));
  }

  /**
   * Moves a document to the places that a touch gives it in the lanes of sliding rules. The
   * document keeps its version and the time of its last write, and the feed has no entry. A
   * transaction that has locked the document is not in conflict.
   *
   * @param born the sequence of the insert of the document
   * @return the record of the document; null if it does not exist
   */
  byte @Nullable [] slide(byte[] primaryKey, long born, long instant) {
    claims.document(primaryKey);
    byte[] existing = current(primaryKey);
    if (existing == null
        || Header.born(existing, 0) != born
        || sweptLanes.covers(existing, primaryKey)) {
      return null;
    }
    SlidingLanes sliding = compiled.sliding();
    boolean late = Deadline.passed(sliding.deadline(existing), instant);
    if (late || instant <= sliding.lastUse(existing)) {
      return existing;
    }
    Document document = RecordFormat.document(existing);
    PrimaryKey key = PrimaryKey.of(compiled.spec(), document);
    List<List<byte[]>> sameKeys = keys.of(compiled, key, existing);
    claims.multikey(keys);
    IndexedRecord before = indexed(key, existing, sameKeys);
    long version = Header.version(existing, 0);
    headerFields.begin(
        sequence.next(), born, Header.writtenAt(existing, 0), Header.ttl(existing, 0));
    for (Lane lane : compiled.explicit()) {
      long place = Schedule.placeOf(lane, existing);
      boolean moves = lane.sliding() && place != Header.NO_PLACE;
      headerFields.place(
          lane.number(), moves ? Math.max(place, lane.places().of(document, instant)) : place);
    }
    headerFields.touched(instant, version);
    byte[] record = recordOf(document);
    batch.put(Space.RECORDS, primaryKey, record);
    putEntries(key, before, sameKeys);
    putLanes(key, existing, record, document.length());
    delta.added(record, document.length());
    delta.removed(existing, document.length());
    written.put(primaryKey, record);
    return record;
  }

  /**
   * Returns the key of an updated document, with the exact types of its values. Rejects an update
   * that changes the key.
   */
  private PrimaryKey sameKey(PrimaryKey key, Document after) {
    PrimaryKey spelled = PrimaryKey.of(compiled.spec(), after);
    if (!Arrays.equals(spelled.bytes(), key.bytes())) {
      throw new EngineException(Reason.BAD_KEY, "an update cannot change the id or partition key");
    }
    return spelled;
  }

  private StoredDocument stored(byte[] record) {
    return RecordFormat.stored(compiled.schedule(), record);
  }

  private byte[] liveRecord(PrimaryKey key) {
    claim(key);
    byte[] existing = current(key.bytes());
    if (existing == null || !liveness.isLive(existing, key.bytes())) {
      throw new EngineException(Reason.NOT_FOUND, compiled.state().namespace().toString());
    }
    return existing;
  }

  /** Makes sure that no other group and no transaction writes a document. */
  private void claim(PrimaryKey key) {
    claims.document(key.bytes());
    guard.checkDocument(key.bytes());
  }

  private static void checkVersion(byte[] existing, long version) {
    if (version != Write.ANY_VERSION && version != Header.version(existing, 0)) {
      throw new EngineException(Reason.VERSION_MISMATCH, "the document has another version");
    }
  }

  private byte @Nullable [] live(byte[] primaryKey) {
    byte[] record = current(primaryKey);
    return record == null || !liveness.isLive(record, primaryKey) ? null : record;
  }

  /**
   * The records that this group has written, by primary key; an empty array means that it has
   * deleted the record.
   */
  public Map<ByteKey, byte[]> written() {
    return written.asMap();
  }

  /**
   * As {@link #current}, for an insert: mostly without a read, because no record has a key that
   * high.
   */
  private byte @Nullable [] currentForInsert(byte[] primaryKey) {
    return highestKeys.mayContain(primaryKey) ? current(primaryKey) : null;
  }

  /** The record of a primary key as this group has left it, live or not. */
  public byte @Nullable [] current(byte[] primaryKey) {
    byte[] ours = written.find(primaryKey);
    if (ours != null) {
      return ours.length == 0 ? null : ours;
    }
    return reader.read(Space.RECORDS, primaryKey);
  }

  /**
   * Writes a document with all its entries.
   *
   * @param existing the stored record, live or expired; null if there is none
   */
  private StoredDocument put(
      PrimaryKey key, byte @Nullable [] existing, Document document, PutOptions options) {
    boolean live = options.replacesLive();
    assert live
        ? existing != null && liveness.isLive(existing, key.bytes())
        : existing == null || !liveness.isLive(existing, key.bytes());
    if (compiled.checksTtl()) {
      OwnTtl.check(document);
    }
    List<List<byte[]>> newKeys = keys.of(compiled, key, document, now);
    claims.multikey(keys);
    if (existing != null && !live && family.isFollowed()) {
      claims.departure();
    }
    checkGuarded(
        key, live && existing != null ? RecordFormat.document(existing) : Document.EMPTY, document);
    List<IndexedRecord> dead = deadHolders(key, document, newKeys);
    IndexedRecord before =
        existing == null ? null : indexed(key, existing, live ? newKeys : List.of());
    ParentLookup parents = liveness.parents();
    if (parents != null) {
      parents.release(document);
    }
    dead.forEach(this::removeExpired);
    if (before != null && !live) {
      closeExpired(before);
    }
    long version = sequence.next();
    long first = options.birth() == OWN_BIRTH ? version : options.birth();
    long born = live && existing != null ? Header.born(existing, 0) : first;
    assert born <= version;
    boolean slides = live && !compiled.sliding().isEmpty();
    long usedAt = slides && existing != null ? Header.usedAt(existing, 0) : now;
    fillHeader(version, born, document, usedAt);
    byte[] record = recordOf(document);
    batch.put(Space.RECORDS, key.bytes(), record);
    highestKeys.add(key.bytes());
    int terms = putEntries(key, live ? before : null, newKeys);
    putLanes(key, existing, record, document.length());
    if (compiled.spec().capped() && !live) {
      batch.put(Space.QUEUES, Layout.arrival(born), key.bytes());
      arrived = arrived.isEmpty() ? new ArrayList<>() : arrived;
      arrived.add(key.bytes());
      lastArrival = born;
    }
    delta.added(record, document.length());
    if (live && before != null) {
      Document replaced = before.document();
      delta.removed(before.record, replaced.length());
      charge.add(Charge.write(replaced.length()));
      feedWriter.write(
          options.kind(), Cause.WRITE, version, key, replaced, document, options.note());
    } else {
      feedWriter.write(
          Kind.INSERT, Cause.WRITE, version, key, Document.EMPTY, document, Document.EMPTY);
    }
    charge.add(Charge.write(document.length()) + terms * Charge.TERM);
    written.put(key.bytes(), record);
    return stored(record);
  }

  /**
   * @param usedAt the last use of the document before this write
   */
  private void fillHeader(long version, long born, Document document, long usedAt) {
    headerFields.begin(version, born, now, OwnTtl.of(document));
    for (Lane lane : compiled.explicit()) {
      headerFields.place(lane.number(), lane.places().of(document, Math.max(now, usedAt)));
    }
  }

  private byte[] recordOf(Document document) {
    int headerLength = Header.write(headerFields, true, entryHeader, 0);
    byte[] record = new byte[headerLength + document.length()];
    System.arraycopy(entryHeader, 0, record, 0, headerLength);
    System.arraycopy(document.buffer(), document.offset(), record, headerLength, document.length());
    return record;
  }

  private void checkGuarded(PrimaryKey key, Document before, Document document) {
    for (IndexState index : compiled.state().indexes()) {
      if (index.spec().guarded()) {
        uniqueChecks().check(index, key, before, document, guard);
      }
    }
  }

  private UniqueChecks uniqueChecks() {
    UniqueChecks checks =
        uniqueChecks == null ? new UniqueChecks(reader, this::live) : uniqueChecks;
    uniqueChecks = checks;
    return checks;
  }

  /**
   * Rejects unique keys that live documents hold, and returns the dead documents that hold one. The
   * caller must remove these: otherwise, an undo of a rule change would make a second holder live.
   */
  private List<IndexedRecord> deadHolders(
      PrimaryKey key, Document document, List<List<byte[]>> newKeys) {
    List<IndexedRecord> dead = List.of();
    List<IndexState> indexes = compiled.state().indexes();
    for (int i = 0; i < indexes.size(); i++) {
      if (indexes.get(i).spec().unique()) {
        for (byte[] entryKey : newKeys.get(i)) {
          Optional<IndexedRecord> holder = deadHolder(indexes.get(i), key, document, entryKey);
          if (holder.isPresent()) {
            dead = dead.isEmpty() ? new ArrayList<>() : dead;
            dead.add(holder.get());
          }
        }
      }
    }
    return dead;
  }

  private Optional<IndexedRecord> deadHolder(
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
    claims.other(holder);
    return Optional.of(indexed(record));
  }

  /** Removes an expired document before the sweep does. */
  public void removeExpired(byte[] holder) {
    byte[] record = current(holder);
    if (record != null) {
      removeExpired(indexed(record));
    }
  }

  /**
   * As {@link #removeExpired(byte[])}, unless this was done already: one document may hold several
   * keys.
   */
  private void removeExpired(IndexedRecord dead) {
    if (written.isRemoved(dead.key.bytes())) {
      return;
    }
    closeExpired(dead);
    batch.delete(Space.RECORDS, dead.key.bytes());
    removeLaneEntries(dead.key, dead.record);
    written.remove(dead.key.bytes());
  }

  /** The entry of a unique index as this group has left it. */
  public byte @Nullable [] uniqueEntry(byte[] entryKey) {
    claims.uniqueKey(entryKey);
    byte[] ours = uniqueWritten.find(entryKey);
    if (ours != null) {
      return ours.length == 0 ? null : ours;
    }
    return reader.read(Space.ENTRIES, entryKey);
  }

  /**
   * Writes the index entries of a document and removes those of the live document that it replaces.
   *
   * @return the number of entries that were added or removed, for the request charge
   */
  private int putEntries(
      PrimaryKey key, @Nullable IndexedRecord before, List<List<byte[]>> newKeys) {
    List<IndexState> indexes = compiled.state().indexes();
    if (indexes.isEmpty()) {
      return 0;
    }
    int headerLength = Header.write(headerFields, compiled.covers(), entryHeader, 0);
    boolean rewrite = before == null || !sameExpiry(before.record);
    int terms = 0;
    for (int i = 0; i < indexes.size(); i++) {
      IndexState index = indexes.get(i);
      List<byte[]> fresh = newKeys.get(i);
      KeyLookup old = KeyLookup.of(before == null ? List.of() : before.keys.get(i));
      boolean lazy = isLazy(index);
      for (byte[] entryKey : fresh) {
        boolean stays = old.contains(entryKey);
        terms += stays || isFree(index) ? 0 : 1;
        if (!lazy && (rewrite || !stays)) {
          putEntry(index, key, entryKey, entryHeader, headerLength);
        }
      }
      List<byte[]> leaving = before == null ? List.of() : before.leaving.get(i);
      KeyLookup kept = KeyLookup.of(leaving.isEmpty() ? List.of() : fresh);
      for (byte[] entryKey : leaving) {
        terms += isFree(index) || kept.contains(entryKey) ? 0 : 1;
        removeEntry(index, entryKey);
      }
    }
    return terms;
  }

  /**
   * Returns whether entries of an index are free of charge: the index on the write time exists for
   * the engine.
   */
  private static boolean isFree(IndexState index) {
    return index.spec().hasWriteTime() && index.spec().parts().size() == 1;
  }

  /**
   * Returns whether the entries of an index are written after the commit (lazy indexing). Those of
   * a unique index never are.
   */
  private boolean isLazy(IndexState index) {
    return compiled.spec().indexing() == IndexingMode.LAZY && !index.spec().unique();
  }

  /** Returns whether stored index entries have the same expiry fields as new ones would have. */
  private boolean sameExpiry(byte[] existing) {
    if (compiled.covers() && Header.sequence(existing, 0) < compiled.state().coverSince()) {
      return false;
    }
    for (Lane lane : compiled.explicit()) {
      // the stored place may belong to an earlier lane with the same number
      if (Header.sequence(existing, 0) < lane.since()
          && Header.place(existing, 0, lane.number()) != Header.NO_PLACE) {
        return false;
      }
    }
    return Header.sameExpiry(existing, entryHeader);
  }

  public void putEntry(
      IndexState index, PrimaryKey key, byte[] entryKey, byte[] header, int headerLength) {
    byte[] value = IndexEntryValues.value(index, key, header, headerLength);
    batch.put(Space.ENTRIES, entryKey, value);
    if (index.spec().unique()) {
      uniqueWritten.put(entryKey, value);
    }
  }

  private void removeEntry(IndexState index, byte[] entryKey) {
    batch.delete(Space.ENTRIES, entryKey);
    if (index.spec().unique()) {
      uniqueWritten.remove(entryKey);
    }
  }

  private void putLanes(PrimaryKey key, byte @Nullable [] existing, byte[] record, int size) {
    for (Lane lane : compiled.kept()) {
      long before = existing == null ? Header.NO_PLACE : Schedule.placeOf(lane, existing);
      long place = Header.place(record, 0, lane.number());
      if (before != Header.NO_PLACE && before != place) {
        batch.delete(Space.QUEUES, Layout.lane(lane.number(), before, key.bytes()));
        lanes.removed(lane.number(), before);
      }
      if (place != Header.NO_PLACE) {
        byte[] laneKey = Layout.lane(lane.number(), place, key.bytes());
        batch.put(Space.QUEUES, laneKey, IndexEntryValues.lane(record, size, key.spelled()));
        lanes.written(lane.number(), laneKey, place, Deadline.of(place, lane.lifeMillis()));
      }
    }
  }

  /**
   * Writes the expiry of a document to the feed and removes its index entries, before the sweep
   * does: another document takes its id or unique key.
   */
  private void closeExpired(IndexedRecord dead) {
    Document before = dead.document();
    if (!sweptLanes.covers(dead.record, dead.key.bytes())) {
      delta.removed(dead.record, before.length());
      Death death = deathOf(dead.record);
      PrimaryKey key = PrimaryKey.of(compiled.spec(), before);
      if (death.cause() == Cause.PARENT) {
        feedWriter.write(
            Kind.DELETE,
            Cause.PARENT,
            sequence.next(),
            key,
            before,
            Document.EMPTY,
            Document.EMPTY);
      } else {
        feedWriter.expiry(key, death.deadline(), before);
      }
      if (compiled.spec().onExpire().delivers()) {
        archive(feedWriter.lastPosition(), death.cause(), death.deadline(), before);
      }
      if (family.isFollowed()) {
        depart(key.bytes(), death.deadline(), /* deleted= */ false);
      }
    }
    removeEntries(dead);
    lanes.recordConflict();
    removeArrival(dead.record);
  }

  /**
   * Death of a document.
   *
   * @param cause DEADLINE, or PARENT if its parent was deleted first
   */
  private record Death(long deadline, Cause cause) {}

  /** Returns when and why an expired document died: by its own rules, or with its parent. */
  private Death deathOf(byte[] record) {
    long own = compiled.schedule().at(now).expiredAt(record, true);
    ParentLookup parents = liveness.parents();
    if (parents == null) {
      return new Death(own, Cause.DEADLINE);
    }
    ParentLookup.Fate fate = parents.fate(record);
    if (fate.state() != ParentLookup.State.DEAD || fate.deadline() >= own) {
      return new Death(own, Cause.DEADLINE);
    }
    return new Death(fate.deadline(), fate.deleted() ? Cause.PARENT : Cause.DEADLINE);
  }

  /**
   * Records that a parent departs, so that its children stay dead without it. The caller holds the
   * shard's lock exclusively.
   *
   * @param deadline when the parent and its children died
   * @param deleted whether it was deleted, and not expired
   */
  public void depart(byte[] primaryKey, long deadline, boolean deleted) {
    Departures next =
        departures(primaryKey)
            .with(new Departures.Departure(sequence.next(), deadline, now, deleted));
    GroupRecords written = departed == null ? new GroupRecords() : departed;
    departed = written;
    family.departed().set(true);
    byte[] value = next.encode();
    batch.put(Space.QUEUES, Layout.departed(primaryKey), value);
    written.put(primaryKey, value);
  }

  /** The departures of parents that had a key, as this group has left them. */
  public Departures departures(byte[] primaryKey) {
    byte[] ours = departed == null ? null : departed.find(primaryKey);
    byte[] stored = ours != null ? ours : reader.read(Space.QUEUES, Layout.departed(primaryKey));
    return stored == null ? Departures.NONE : Departures.decode(stored);
  }

  /** Returns whether parents depart with this group. */
  boolean departs() {
    return departed != null;
  }

  /** Removes the index entries of a stored document. */
  private void removeEntries(IndexedRecord indexed) {
    List<IndexState> indexes = compiled.state().indexes();
    for (int i = 0; i < indexes.size(); i++) {
      for (byte[] entryKey : indexed.leaving.get(i)) {
        removeEntry(indexes.get(i), entryKey);
      }
    }
  }

  private void removeArrival(byte[] record) {
    if (compiled.spec().capped()) {
      batch.delete(Space.QUEUES, Layout.arrival(Header.born(record, 0)));
    }
  }

  /** A stored document that is removed with all its entries. */
  private IndexedRecord indexed(byte[] record) {
    return indexed(
        PrimaryKey.of(compiled.spec(), RecordFormat.document(record)), record, List.of());
  }

  /**
   * A stored document that another one replaces.
   *
   * @param staying per index, the keys whose entries stay; empty if all entries are removed
   */
  private IndexedRecord indexed(PrimaryKey key, byte[] record, List<List<byte[]>> staying) {
    List<List<byte[]>> all = keys.of(compiled, key, record);
    List<List<byte[]>> leaving = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      IndexState index = compiled.state().indexes().get(i);
      KeyLookup stay =
          KeyLookup.of(staying.isEmpty() || isLazy(index) ? List.of() : staying.get(i));
      List<byte[]> leave = new ArrayList<>(all.get(i).size());
      for (byte[] entryKey : all.get(i)) {
        if (!stay.contains(entryKey) && isOwn(index, key, record, entryKey)) {
          leave.add(entryKey);
        }
      }
      leaving.add(leave);
    }
    return new IndexedRecord(key, record, all, leaving);
  }

  /**
   * Returns whether an entry belongs to this document. During the build of a unique index, it may
   * belong to another one.
   */
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
    IndexedRecord indexed = indexed(key, existing, List.of());
    Document before = indexed.document();
    batch.delete(Space.RECORDS, key.bytes());
    removeEntries(indexed);
    removeLaneEntries(key, existing);
    removeArrival(existing);
    delta.removed(existing, before.length());
    charge.add(Charge.write(before.length()) + terms(indexed.keys) * Charge.TERM);
    feedWriter.write(
        Kind.DELETE, cause, sequence.next(), key, before, Document.EMPTY, Document.EMPTY);
    if (cause == Cause.CAP && compiled.spec().onExpire().evicted()) {
      archive(feedWriter.lastPosition(), cause, now, before);
    }
    written.remove(key.bytes());
    if (cause == Cause.CAP ? family.isFollowed() : family.followsDeletes()) {
      depart(key.bytes(), now, /* deleted= */ true);
    }
  }

  /** Adds the image of a document that leaves the collection to the archive queue. */
  public void archive(long position, Cause cause, long deadline, Document image) {
    int size = ArchiveQueue.put(batch, position, cause, deadline, image);
    archived = archived.plus(new Usage(1, size));
  }

  /** The images that this group adds to the archive queue, with their size. */
  Usage archived() {
    return archived;
  }

  private int terms(List<List<byte[]>> keysOfAll) {
    int terms = 0;
    for (int i = 0; i < keysOfAll.size(); i++) {
      terms += isFree(compiled.state().indexes().get(i)) ? 0 : keysOfAll.get(i).size();
    }
    return terms;
  }

  /** Removes a swept document with all its entries, for a store without a compaction filter. */
  public void removeSwept(PrimaryKey key, byte[] existing) {
    IndexedRecord indexed = indexed(key, existing, List.of());
    batch.delete(Space.RECORDS, key.bytes());
    removeEntries(indexed);
    removeLaneEntries(key, existing);
    removeArrival(existing);
  }

  private void removeLaneEntries(PrimaryKey key, byte[] existing) {
    for (Lane lane : compiled.kept()) {
      long place = Schedule.placeOf(lane, existing);
      if (place != Header.NO_PLACE) {
        batch.delete(Space.QUEUES, Layout.lane(lane.number(), place, key.bytes()));
        lanes.removed(lane.number(), place);
      }
    }
  }
}

package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.ExpiryService.Soonest;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.read.ShardFeedReader;
import dev.mayfly.engine.read.SoonestScan;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Warnings before expiry, at one instant and from a position. Nothing is stored: a position
 * contains the deadline up to which documents were reported and the position in each change feed.
 *
 * <p>A call first reads the feeds: a document that was written since, and whose deadline is before
 * the position, is reported. Then it reads the lanes, from the position to the end of the time. It
 * leaves out what was written after it read the feeds: the next call finds that in the feeds. So
 * each version of a document is reported once.
 */
final class ExpiryWarnings {
  private static final int CHANGES = 1000;
  private static final int MAX_CHANGES = 50_000;

  private final CompiledCollection compiled;
  private final List<ShardOwner> owners;
  private final long now;
  private final int most;
  private final List<Soonest.Due> documents = new ArrayList<>();
  private int changes;

  /**
   * @param most how many documents to return
   */
  ExpiryWarnings(CompiledCollection compiled, List<ShardOwner> owners, long now, int most) {
    this.compiled = compiled;
    this.owners = owners;
    this.now = now;
    this.most = most;
  }

  /**
   * Position between two calls.
   *
   * @param rules tag of the rules: under other rules, deadlines differ
   * @param feeds position in the feed of each shard
   */
  private record Position(String rules, List<Long> feeds, DeadlinePlace place) {
    Position {
      feeds = List.copyOf(feeds);
    }

    String text() {
      return rules
          + "~"
          + String.join(",", feeds.stream().map(feed -> Long.toString(feed)).toList())
          + "~"
          + place.text();
    }

    static Position of(String text) {
      String[] parts = text.split("~", -1);
      if (parts.length != 3) {
        throw wrong(text);
      }
      try {
        List<Long> feeds = new ArrayList<>();
        for (String feed : parts[1].split(",", -1)) {
          feeds.add(Long.parseLong(feed));
        }
        return new Position(parts[0], feeds, DeadlinePlace.of(parts[2]));
      } catch (NumberFormatException invalid) {
        throw wrong(text);
      }
    }

    private static EngineException wrong(String text) {
      return new EngineException(Reason.BAD_HINT, "'" + text + "' is not a position");
    }

    Position at(DeadlinePlace next) {
      return new Position(rules, feeds, next);
    }

    Position in(int shard, long feed) {
      List<Long> next = new ArrayList<>(feeds);
      next.set(shard, feed);
      return new Position(rules, next, place);
    }
  }

  private Position start() {
    return new Position(
        compiled.state().rulesTag(),
        owners.stream().map(ShardOwner::lastPosition).toList(),
        DeadlinePlace.START);
  }

  private Position position(String after) {
    Position position = after.isEmpty() ? start() : Position.of(after);
    if (position.feeds().size() != owners.size()) {
      throw Position.wrong(after);
    }
    return position;
  }

  /** Returns no documents and the same position. */
  Warnings none(String after) {
    return new Warnings(List.of(), position(after).text(), false);
  }

  /** Returns the documents after a position that expire at or before an instant. */
  Warnings read(String after, long until) {
    Position position = position(after);
    // lanes have persisted deadlines
    owners.forEach(owner -> owner.sliding().persistDueAt(until));
    if (compiled.state().lanes().stream().allMatch(lane -> lane.ready() || !lane.kept())) {
      if (!position.rules().equals(compiled.state().rulesTag()) || isTrimmed(position)) {
        position = start();
      }
      position = readFeeds(position);
      if (documents.size() < most && changes < MAX_CHANGES) {
        position = readLanes(position, until);
      }
    }
    boolean more = documents.size() >= most || changes >= MAX_CHANGES;
    return new Warnings(documents, position.text(), more);
  }

  private boolean isTrimmed(Position position) {
    for (int shard = 0; shard < owners.size(); shard++) {
      if (position.feeds().get(shard) < owners.get(shard).trimmedTo()) {
        return true;
      }
    }
    return false;
  }

  private Position readFeeds(Position from) {
    Position position = from;
    for (int shard = 0; shard < owners.size(); shard++) {
      long end = owners.get(shard).lastPosition();
      while (position.feeds().get(shard) < end
          && documents.size() < most
          && changes < MAX_CHANGES) {
        position = readFeed(position, shard, end);
      }
    }
    return position;
  }

  private Position readFeed(Position from, int shard, long end) {
    ShardOwner owner = owners.get(shard);
    long reached = from.feeds().get(shard);
    List<Change> read = new ShardFeedReader(owner).read(reached, CHANGES);
    for (Change change : read) {
      if (documents.size() >= most) {
        return from.in(shard, reached);
      }
      changes++;
      reached = change.position();
      if (change.kind() != Kind.DELETE && change.kind() != Kind.EXPIRE) {
        PrimaryKey key = PrimaryKey.of(compiled.spec(), change.key());
        long version = reached;
        owner
            .read(key, now)
            .filter(stored -> stored.version() == version)
            .filter(stored -> isBefore(stored, shard, key, from.place()))
            .ifPresent(stored -> documents.add(due(owner, key, stored)));
      }
    }
    return from.in(shard, read.isEmpty() ? end : reached);
  }

  private static boolean isBefore(
      StoredDocument stored, int shard, PrimaryKey key, DeadlinePlace place) {
    return stored.deadline() != Deadline.NEVER
        && new DeadlinePlace(stored.deadline(), shard, new ByteKey(key.bytes())).compareTo(place)
            <= 0;
  }

  private Soonest.Due due(ShardOwner owner, PrimaryKey key, StoredDocument stored) {
    byte[] record = owner.record(key.bytes());
    String rule =
        record == null
            ? ""
            : compiled
                .schedule()
                .earliest(record)
                .map(lane -> compiled.state().ruleOf(lane.number()))
                .orElse("");
    return new Soonest.Due(DocumentKey.of(compiled.spec(), stored.document()), stored, rule);
  }

  /** A shard at its next document. */
  private record Source(SoonestScan scan, int shard) {
    DeadlinePlace place() {
      return new DeadlinePlace(scan.deadline(), shard, new ByteKey(scan.primaryKey()));
    }
  }

  private Position readLanes(Position from, long until) {
    List<SoonestScan> open = new ArrayList<>();
    try {
      PriorityQueue<Source> sources = new PriorityQueue<>(Comparator.comparing(Source::place));
      for (int shard = 0; shard < owners.size(); shard++) {
        SoonestScan scan =
            new SoonestScan(owners.get(shard), now, from.place().in(shard), _ -> true);
        open.add(scan);
        if (scan.next()) {
          sources.add(new Source(scan, shard));
        }
      }
      DeadlinePlace last = from.place();
      while (!sources.isEmpty() && sources.element().scan().deadline() <= until) {
        if (documents.size() >= most) {
          return from.at(last);
        }
        Source first = sources.remove();
        byte[] record = first.scan().record();
        if (Header.version(record, 0) <= from.feeds().get(first.shard())) {
          documents.add(due(record));
        }
        last = first.place();
        if (first.scan().next()) {
          sources.add(first);
        }
      }
      DeadlinePlace end = DeadlinePlace.after(until);
      return from.at(end.compareTo(last) > 0 ? end : last);
    } finally {
      open.forEach(SoonestScan::close);
    }
  }

  private Soonest.Due due(byte[] record) {
    StoredDocument stored = RecordFormat.stored(compiled.schedule(), record);
    String rule =
        compiled
            .schedule()
            .earliest(record)
            .map(lane -> compiled.state().ruleOf(lane.number()))
            .orElse("");
    return new Soonest.Due(DocumentKey.of(compiled.spec(), stored.document()), stored, rule);
  }
}

package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.expiry.Header;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a query, one after the other, as they were at one instant.
 *
 * <p>What was live at that instant is left alone by the sweep until the cursor is closed. Belongs
 * to one thread at a time; must be closed.
 */
public final class Cursor implements AutoCloseable {
  private final Query query;
  private final Plan plan;
  private final Supplier<Explanation.Access> access;
  private final List<Source> sources;
  private final long sortBytes;
  private final Matcher matcher;
  private final DoubleConsumer onClose;
  private final Charge charge = new Charge();

  private int source;
  private long toSkip;
  private long left;
  private @Nullable Iterator<Found> sorted;
  private @Nullable Found current;
  private boolean closed;

  /** A matching record and where it was found. */
  private static final class Found {
    private final Source source;
    private final byte[] record;

    Found(Source source, byte[] record) {
      this.source = source;
      this.record = record;
    }
  }

  /** A record and the key it is sorted by. */
  private static final class Keyed {
    private final byte[] key;
    private final Found found;

    Keyed(byte[] key, Found found) {
      this.key = key;
      this.found = found;
    }

    long bytes() {
      return (long) key.length + found.record.length;
    }
  }

  /**
   * @param access what the plan is, when somebody asks
   */
  Cursor(
      Query query,
      Plan plan,
      Supplier<Explanation.Access> access,
      List<Source> sources,
      long sortBytes,
      DoubleConsumer onClose) {
    this.query = query;
    this.plan = plan;
    this.access = access;
    this.sources = sources;
    this.sortBytes = sortBytes;
    this.onClose = onClose;
    this.matcher = query.filter().matcher(query.mode());
    this.toSkip = query.skip();
    this.left = query.limit();
    charge.add(Charge.QUERY);
  }

  /** Goes to the next document; false when there is none. */
  public boolean next() {
    while (left > 0) {
      Found found = ordered();
      if (found == null) {
        break;
      }
      if (toSkip > 0) {
        toSkip--;
        continue;
      }
      left--;
      current = found;
      return true;
    }
    current = null;
    return false;
  }

  /** The document the cursor is at. */
  public Stored current() {
    Found at = found();
    return ShardOwner.stored(at.source.schedule(), at.record);
  }

  private Found found() {
    Found at = current;
    if (at == null) {
      throw new IllegalStateException("the cursor is not at a document");
    }
    return at;
  }

  /** The bytes of the document the cursor is at. */
  public Document document() {
    return Group.documentOf(found().record);
  }

  /** What the query has cost so far, in request units. */
  public double charge() {
    return charge.units() + (keysExamined() + documentsExamined()) * Charge.LOOK;
  }

  private long keysExamined() {
    return sources.stream().mapToLong(Source::keys).sum();
  }

  private long documentsExamined() {
    return sources.stream().mapToLong(Source::documents).sum();
  }

  /** How the documents are found, and what that has taken so far. */
  public Explanation explain() {
    return new Explanation(access.get(), sorts(), keysExamined(), documentsExamined());
  }

  /**
   * When the document the cursor is at came into the collection, as a number that grows from one
   * arrival to the next; see {@link Collection#arrivals}.
   */
  public long arrival() {
    return Header.born(found().record, 0);
  }

  /** How the documents are found, in a line for people. */
  public String plan() {
    return plan.describe();
  }

  private @Nullable Found ordered() {
    if (!sorts()) {
      return unordered();
    }
    Iterator<Found> all = sorted;
    if (all == null) {
      all = sort().iterator();
      sorted = all;
    }
    return all.hasNext() ? all.next() : null;
  }

  private boolean sorts() {
    return !query.order().isEmpty() && !(plan.ordered() && sources.size() == 1);
  }

  private @Nullable Found unordered() {
    while (source < sources.size()) {
      Source from = sources.get(source);
      byte[] record = from.next();
      if (record == null) {
        source++;
        continue;
      }
      Document document = Group.documentOf(record);
      if (matcher.matches(document)) {
        charge.add(document.length() / 1024.0 * Charge.FETCHED_KILOBYTE);
        return new Found(from, record);
      }
    }
    return null;
  }

  /** Sorts all matching documents; of equal ones the first found comes first. */
  private List<Found> sort() {
    DocumentComparator order = new DocumentComparator(query.order(), query.mode());
    List<Keyed> all = new ArrayList<>();
    long wanted = query.limit() > Integer.MAX_VALUE ? Long.MAX_VALUE : query.skip() + query.limit();
    long bytes = 0;
    for (Found found = unordered(); found != null; found = unordered()) {
      byte[] key = order.key(Group.documentOf(found.record));
      Keyed keyed = new Keyed(key, found);
      all.add(keyed);
      bytes += keyed.bytes();
      if (wanted < Long.MAX_VALUE && all.size() > 2 * wanted + 1000) {
        keepFirst(all, (int) wanted);
        bytes = all.stream().mapToLong(Keyed::bytes).sum();
      }
      if (bytes > sortBytes) {
        throw new EngineException(Reason.SORT_TOO_LARGE, "the limit is " + sortBytes, sortBytes);
      }
    }
    keepFirst(all, all.size());
    return all.stream().map(one -> one.found).toList();
  }

  private static void keepFirst(List<Keyed> all, int count) {
    all.sort((a, b) -> Arrays.compareUnsigned(a.key, b.key));
    all.subList(Math.min(count, all.size()), all.size()).clear();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      sources.forEach(Source::close);
      onClose.accept(charge());
    }
  }
}

package dev.mayfly.engine.shard;

import dev.mayfly.engine.Usage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Histogram of the stored documents of a shard by the place at which they expire: how many
 * documents expire in a span of time is a sum, without reading them. Swept documents are not
 * counted.
 *
 * <p>A bucket covers places of one lane, from its lowest to its highest. Each place has a bucket of
 * its own until there are too many; then neighbours with few documents are joined. So a place at
 * which very many documents expire stays exact, and a bucket that is only partly of interest is
 * short to read. Guarded by the shard's lock.
 */
public final class LaneBuckets implements PlaceChanges.Sink {
  /** Maximum number of buckets of a lane. */
  static final int MAX_BUCKETS = 4096;

  /** A bucket of several places with more documents than this may be worth dividing. */
  private static final long MANY = 4096;

  /** How many times its share a bucket may hold before it is divided. */
  private static final long OVERFULL = 8;

  private final ExpiryLanes lanes;
  private final Map<Integer, Histogram> histograms = new HashMap<>();

  /** Number of documents that are in several lanes. */
  private long several;

  private boolean overfull;

  /** Documents at some places of a lane. */
  public static final class Bucket {
    private final long low;
    private long high;
    private long documents;
    private long bytes;

    Bucket(long low, long high) {
      this.low = low;
      this.high = high;
    }

    public long low() {
      return low;
    }

    public long high() {
      return high;
    }

    public Usage usage() {
      return new Usage(documents, bytes);
    }
  }

  /** The buckets of one lane in the order of their places. */
  private static final class Histogram {
    private Bucket[] buckets = new Bucket[8];
    private int size;
    private long documents;

    /** The index of the first bucket that reaches a place or lies after it. */
    private int at(long place) {
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (buckets[middle].high < place) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** Returns whether the bucket of the place has become too large. */
    boolean add(long place, long count, long length) {
      documents += count;
      int at = at(place);
      if (at == size || buckets[at].low > place) {
        insert(at, new Bucket(place, place));
      }
      Bucket bucket = buckets[at];
      bucket.documents += count;
      bucket.bytes += length;
      if (bucket.documents == 0 && bucket.bytes == 0) {
        System.arraycopy(buckets, at + 1, buckets, at, --size - at);
      } else if (size > MAX_BUCKETS) {
        join(bucket);
      }
      return bucket.high > bucket.low
          && bucket.documents > MANY
          && bucket.documents > OVERFULL * share();
    }

    private void insert(int at, Bucket bucket) {
      if (size == buckets.length) {
        buckets = Arrays.copyOf(buckets, size * 2);
      }
      System.arraycopy(buckets, at, buckets, at + 1, size - at);
      buckets[at] = bucket;
      size++;
    }

    /** Documents of a bucket if all had the same. */
    private long share() {
      return documents / MAX_BUCKETS + 1;
    }

    /**
     * Joins neighbours that together have at most four shares. Of what is left, no two neighbours
     * have less, so that about half of the buckets are left at most.
     *
     * @param stays a place at which very many documents may be about to be added
     */
    @SuppressWarnings("ReferenceEquality") // this bucket, not an equal one
    private void join(Bucket stays) {
      long most = 4 * share();
      int last = 0;
      for (int i = 1; i < size; i++) {
        Bucket before = buckets[last];
        Bucket next = buckets[i];
        if (before.documents + next.documents <= most && before != stays && next != stays) {
          before.high = next.high;
          before.documents += next.documents;
          before.bytes += next.bytes;
        } else {
          buckets[++last] = next;
        }
      }
      Arrays.fill(buckets, last + 1, size, null);
      size = last + 1;
    }

    List<Bucket> overlapping(long low, long high) {
      int first = at(low);
      int end = first;
      while (end < size && buckets[end].low <= high) {
        end++;
      }
      return Arrays.asList(buckets).subList(first, end);
    }

    Histogram copy() {
      Histogram copy = new Histogram();
      copy.buckets = new Bucket[Math.max(size, 1)];
      copy.size = size;
      copy.documents = documents;
      for (int i = 0; i < size; i++) {
        Bucket bucket = buckets[i];
        Bucket same = new Bucket(bucket.low, bucket.high);
        same.documents = bucket.documents;
        same.bytes = bucket.bytes;
        copy.buckets[i] = same;
      }
      return copy;
    }
  }

  LaneBuckets(ExpiryLanes lanes) {
    this.lanes = lanes;
  }

  private LaneBuckets(ExpiryLanes lanes, LaneBuckets same) {
    this.lanes = lanes;
    same.histograms.forEach((lane, histogram) -> histograms.put(lane, histogram.copy()));
    this.several = same.several;
  }

  LaneBuckets copy() {
    return new LaneBuckets(lanes, this);
  }

  public ExpiryLanes lanes() {
    return lanes;
  }

  /** Returns these counts under changed rules. */
  LaneBuckets under(ExpiryLanes changed) {
    return new LaneBuckets(changed, this);
  }

  /** Returns whether documents are counted at the same places under changed rules. */
  boolean validUnder(ExpiryLanes changed) {
    return lanes.sameLanes(changed) && (several == 0 || lanes.sameRules(changed));
  }

  public boolean countsSeveral() {
    return several != 0;
  }

  /** Returns whether a bucket has grown so much that the lanes should be counted again. */
  boolean overfull() {
    return overfull;
  }

  @Override
  public void add(int lane, long place, boolean inSeveral, long documents, long bytes) {
    several += inSeveral ? documents : 0;
    if (lane != ExpiryLanes.NO_LANE) {
      overfull |=
          histograms.computeIfAbsent(lane, _ -> new Histogram()).add(place, documents, bytes);
    }
  }

  /**
   * The buckets of a lane that contain places of a span, both ends included; valid until a change.
   */
  public List<Bucket> overlapping(int lane, long low, long high) {
    Histogram histogram = histograms.get(lane);
    return histogram == null ? List.of() : histogram.overlapping(low, high);
  }
}

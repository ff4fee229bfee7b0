package dev.mayfly.engine.sweep;

import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/**
 * Sweep sink that puts the images of expired documents into the archive queue, if the collection
 * has an action on expiry. Comes after the {@link FeedSink}, whose positions it uses.
 */
public final class ArchiveSink implements SweepSink {
  @Override
  public Slice begin(CompiledCollection compiled) {
    return compiled.spec().onExpire().delivers() ? new Images() : Nothing.NOTHING;
  }

  /** A slice of a collection without an action on expiry. */
  private enum Nothing implements Slice {
    NOTHING;

    @Override
    public boolean needsDocuments() {
      return false;
    }

    @Override
    public void add(byte[] primaryKey, byte[] spelledKey, long deadline, Document document) {}

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void deliver(WriteGroup group) {}
  }

  private static final class Images implements Slice {
    private final List<Document> documents = new ArrayList<>();
    private final List<Long> deadlines = new ArrayList<>();
    private long bytes;

    @Override
    public boolean needsDocuments() {
      return true;
    }

    @Override
    public void add(byte[] primaryKey, byte[] spelledKey, long deadline, Document document) {
      documents.add(document);
      deadlines.add(deadline);
      bytes += document.length();
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void deliver(WriteGroup group) {
      long first = group.feedWriter().lastPosition() - documents.size() + 1;
      for (int i = 0; i < documents.size(); i++) {
        // a document without a record is empty: there is no image
        if (!documents.get(i).isEmpty()) {
          group.archive(first + i, Cause.DEADLINE, deadlines.get(i), documents.get(i));
        }
      }
    }
  }
}

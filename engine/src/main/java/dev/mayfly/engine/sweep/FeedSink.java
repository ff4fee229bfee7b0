package dev.mayfly.engine.sweep;

import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.value.Document;

/** Sweep sink that writes the expiries of a slice to the change feed, as one entry. */
public final class FeedSink implements SweepSink {
  @Override
  public Slice begin(CompiledCollection compiled) {
    return new FeedSlice(compiled.spec().feed().images().before());
  }

  private static final class FeedSlice implements Slice {
    private final boolean images;
    private final FeedFormat.Expiries expiries = new FeedFormat.Expiries();

    FeedSlice(boolean images) {
      this.images = images;
    }

    @Override
    public boolean needsDocuments() {
      return images;
    }

    @Override
    public void add(byte[] primaryKey, byte[] spelledKey, long deadline, Document document) {
      expiries.add(primaryKey, spelledKey, deadline, images ? document : Document.EMPTY);
    }

    @Override
    public long bytes() {
      return expiries.bytes();
    }

    @Override
    public void deliver(WriteGroup group) {
      group.feedWriter().expiries(expiries);
    }
  }
}

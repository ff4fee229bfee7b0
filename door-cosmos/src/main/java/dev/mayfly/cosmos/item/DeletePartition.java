package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code POST .../operations/partitionkeydelete}: deletes all items of a partition key.
 *
 * <p>Deletes in slices and replies afterwards; items written meanwhile may remain.
 */
public final class DeletePartition implements Endpoint {
  private static final int SLICE = 500;

  private final Items items;

  public DeletePartition(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    List<Value> partition = PartitionKeys.completeKey(exchange.request(), container);
    Collection collection = container.collection();
    List<Write> slice = new ArrayList<>();
    try (Cursor cursor = collection.records(exchange, partition)) {
      while (cursor.next()) {
        slice.add(new Write.Delete(new DocumentKey(partition, cursor.document().field("id"))));
        if (slice.size() == SLICE) {
          delete(exchange, collection, slice);
          // each slice of a large partition is deleted at its own time
          exchange.renew();
        }
      }
    }
    delete(exchange, collection, slice);
    return Items.located(new Reply(ItemOperation.Done.OK), container, Items.lsn(collection));
  }

  /** An item that is already gone is not a failure. */
  private void delete(Exchange exchange, Collection collection, List<Write> slice) {
    if (!slice.isEmpty()) {
      WriteResult written =
          collection.write(exchange, slice, Grouping.UNORDERED, items.durability(), null);
      exchange.charge(written.charge());
      slice.clear();
    }
  }
}

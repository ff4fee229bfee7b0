package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.hybridrow.RecordIo;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.ValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code POST .../docs} as a batch: several operations, either atomic on one partition key or
 * independent.
 *
 * <p>In a failed atomic batch one operation reports the reason; the others report 424 (failed
 * dependency). The charge of the batch is divided equally among the operations.
 */
public final class BatchItems implements Endpoint {
  private final Items items;

  public BatchItems(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    Request request = exchange.request();
    KeyRange.checkRange(request);
    BatchForm form =
        new BatchForm(container, PartitionKeys.wholeIfAny(request, container), exchange.now());
    List<Document> asked = BatchForm.split(request.body());
    BatchResults results = new BatchResults(container);
    if (request.isTrue(HeaderNames.BATCH_ATOMIC)) {
      form.checkOneKey();
      atomic(exchange, container, form, asked, results);
    } else {
      boolean goesOn = request.isTrue(HeaderNames.BATCH_CONTINUE_ON_ERROR);
      for (Document one : asked) {
        if (results.failed() && !goesOn) {
          results.dependent();
        } else {
          alone(exchange, container, form, one, results);
        }
      }
    }
    return Items.located(
        results.reply(RecordIo.is(request.body())), container, Items.lsn(container.collection()));
  }

  private void atomic(
      Exchange exchange,
      Container container,
      BatchForm form,
      List<Document> asked,
      BatchResults results) {
    List<ItemOperation> operations = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    try {
      for (Document one : asked) {
        ItemOperation operation =
            items.directed(exchange.request(), container, form.operation(one));
        operations.add(operation);
        writes.addAll(operation.writes());
      }
    } catch (CosmosException | ValueException refused) {
      exchange.charge(Charge.REFUSED);
      failed(results, asked.size(), operations.size(), Failures.of(refused), Charge.REFUSED);
      return;
    }
    WriteResult written = container.collection().write(writes, Grouping.ATOMIC, items.durability());
    exchange.charge(written.charge());
    double charge = written.charge() / asked.size();
    List<List<WriteOutcome>> outcomes = shares(operations, written.outcomes());
    for (int i = 0; i < outcomes.size(); i++) {
      Optional<EngineException> failure = ItemOperation.failure(outcomes.get(i));
      if (failure.isPresent()) {
        failed(results, asked.size(), i, Failures.of(failure.get()), charge);
        return;
      }
    }
    for (int i = 0; i < outcomes.size(); i++) {
      boolean minimal = BatchForm.minimal(asked.get(i)) || Items.minimal(exchange.request());
      results.done(operations.get(i).done(outcomes.get(i)), charge, minimal);
    }
  }

  /** Returns the outcomes of the writes of each operation. */
  private static List<List<WriteOutcome>> shares(
      List<ItemOperation> operations, List<WriteOutcome> outcomes) {
    List<List<WriteOutcome>> shares = new ArrayList<>();
    int from = 0;
    for (ItemOperation operation : operations) {
      int to = from + operation.writes().size();
      shares.add(outcomes.subList(from, to));
      from = to;
    }
    return shares;
  }

  private static void failed(
      BatchResults results, int size, int culprit, CosmosException refusal, double charge) {
    for (int i = 0; i < size; i++) {
      if (i == culprit) {
        results.refused(refusal, charge);
      } else {
        results.dependent();
      }
    }
  }

  private void alone(
      Exchange exchange, Container container, BatchForm form, Document one, BatchResults results) {
    double charge = Charge.REFUSED;
    try {
      ItemOperation operation = items.directed(exchange.request(), container, form.operation(one));
      WriteResult written =
          container.collection().write(operation.writes(), Grouping.ATOMIC, items.durability());
      charge = written.charge();
      boolean minimal = BatchForm.minimal(one) || Items.minimal(exchange.request());
      results.done(operation.done(written.outcomes()), charge, minimal);
    } catch (CosmosException | ValueException | EngineException refused) {
      CosmosException refusal = Failures.of(refused);
      // a throttled request uses nothing
      charge = refusal.status() == Status.TOO_MANY_REQUESTS ? 0 : charge;
      results.refused(refusal, charge);
    }
    exchange.charge(charge);
  }
}

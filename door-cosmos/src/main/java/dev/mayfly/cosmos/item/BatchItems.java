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
        new BatchForm(
            container, PartitionKeys.completeKeyIfPresent(request, container), exchange.now());
    List<Document> forms = BatchForm.split(request.body());
    BatchResults results = new BatchResults(container);
    if (request.isTrue(HeaderNames.BATCH_ATOMIC)) {
      form.checkOneKey();
      atomic(exchange, container, form, forms, results);
    } else {
      boolean continues = request.isTrue(HeaderNames.BATCH_CONTINUE_ON_ERROR);
      for (Document operationForm : forms) {
        if (results.failed() && !continues) {
          results.dependent();
        } else {
          alone(exchange, container, form, operationForm, results);
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
      List<Document> forms,
      BatchResults results) {
    List<ItemOperation> operations = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    try {
      for (Document operationForm : forms) {
        ItemOperation operation =
            items.directed(exchange.request(), container, form.operation(operationForm));
        operations.add(operation);
        writes.addAll(operation.writes());
      }
    } catch (CosmosException | ValueException refused) {
      exchange.charge(Charge.REFUSED);
      failed(results, forms.size(), operations.size(), Failures.of(refused), Charge.REFUSED);
      return;
    }
    WriteResult written = write(exchange, container, writes);
    exchange.charge(written.charge());
    double charge = written.charge() / forms.size();
    List<List<WriteOutcome>> outcomes = shares(operations, written.outcomes());
    for (int i = 0; i < outcomes.size(); i++) {
      Optional<EngineException> failure = ItemOperation.failure(outcomes.get(i));
      if (failure.isPresent()) {
        failed(results, forms.size(), i, Failures.of(failure.get()), charge);
        return;
      }
    }
    for (int i = 0; i < outcomes.size(); i++) {
      boolean minimal = BatchForm.minimal(forms.get(i)) || Items.minimal(exchange.request());
      results.done(operations.get(i).done(outcomes.get(i)), charge, minimal);
    }
  }

  private WriteResult write(Exchange exchange, Container container, List<Write> writes) {
    return container
        .collection()
        .write(exchange, writes, Grouping.ATOMIC, items.durability(), null);
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
      BatchResults results, int size, int failing, CosmosException error, double charge) {
    for (int i = 0; i < size; i++) {
      if (i == failing) {
        results.refused(error, charge);
      } else {
        results.dependent();
      }
    }
  }

  private void alone(
      Exchange exchange,
      Container container,
      BatchForm form,
      Document operationForm,
      BatchResults results) {
    double charge = Charge.REFUSED;
    try {
      ItemOperation operation =
          items.directed(exchange.request(), container, form.operation(operationForm));
      WriteResult written = write(exchange, container, operation.writes());
      charge = written.charge();
      boolean minimal = BatchForm.minimal(operationForm) || Items.minimal(exchange.request());
      results.done(operation.done(written.outcomes()), charge, minimal);
    } catch (CosmosException | ValueException | EngineException refused) {
      CosmosException error = Failures.of(refused);
      // a throttled request is not charged
      charge = error.status() == Status.TOO_MANY_REQUESTS ? 0 : charge;
      results.refused(error, charge);
    }
    exchange.charge(charge);
  }
}

package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code abortTransaction}: discards the writes of a transaction. */
public final class AbortTransactionCommand implements Command {
  private static final Set<String> FIELDS = Set.of("recoveryToken");

  private final Transactions transactions;

  public AbortTransactionCommand(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    transactions.abort(request);
  }
}

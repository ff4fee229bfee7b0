package dev.mayfly.mongo.session;

import dev.mayfly.engine.Durability;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code commitTransaction}: makes all that a transaction wrote visible at once. */
public final class CommitTransaction implements Command {
  private static final Set<String> FIELDS = Set.of("recoveryToken");

  private final Transactions transactions;
  private final Durability standard;

  /**
   * The command.
   *
   * @param standard how durable the commit is when it does not say
   */
  public CommitTransaction(Transactions transactions, Durability standard) {
    this.transactions = transactions;
    this.standard = standard;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    WriteConcern concern = WriteConcern.of(request, standard);
    transactions.commit(request, concern.durability());
    concern.report(reply);
  }
}

package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.DefaultConcerns;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code commitTransaction}: makes the writes of a transaction visible together. */
public final class CommitTransactionCommand implements Command {
  private static final Set<String> FIELDS = Set.of("recoveryToken");

  private final Transactions transactions;
  private final DefaultConcerns defaults;

  /**
   * The command.
   *
   * @param defaults the durability of a commit without a write concern
   */
  public CommitTransactionCommand(Transactions transactions, DefaultConcerns defaults) {
    this.transactions = transactions;
    this.defaults = defaults;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    WriteConcern concern = WriteConcern.of(request, defaults.durability());
    transactions.commit(request, concern.durability());
    concern.report(reply);
  }
}

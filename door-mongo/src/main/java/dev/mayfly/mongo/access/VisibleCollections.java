package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Transaction;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.session.Snapshots;
import dev.mayfly.mongo.session.Transactions;
import java.util.Optional;

/**
 * The collections that a request sees, and where those go that it makes: in a transaction nobody
 * else sees them before the commit. Safe for many threads.
 */
public final class VisibleCollections {
  private final Namespaces namespaces;
  private final Transactions transactions;
  private final Snapshots snapshots;

  public VisibleCollections(Namespaces namespaces, Transactions transactions, Snapshots snapshots) {
    this.namespaces = namespaces;
    this.transactions = transactions;
    this.snapshots = snapshots;
  }

  /** What everybody sees. */
  public Namespaces namespaces() {
    return namespaces;
  }

  Engine engine() {
    return namespaces.engine();
  }

  /** The transaction that a request is part of, if it is. */
  public Optional<Transaction> transaction(Request request) {
    return transactions.of(request);
  }

  /** Aborts the transaction that a request is part of, if it is. */
  void abortTransaction(Request request) {
    if (Transactions.includes(request)) {
      transactions.failed(request);
    }
  }

  /** What a request reads from instead of what is there now: its transaction, or a snapshot. */
  Optional<Transaction> past(Request request) {
    return transactions.of(request).or(() -> snapshots.of(request));
  }

  /**
   * The collection or view of that name. What reads as of an instant is refused when there was one
   * then and there is none now.
   */
  public Optional<Found> find(Request request, Namespace namespace) {
    Optional<Found> found = own(request, namespace).or(() -> namespaces.find(namespace));
    if (found.isEmpty()) {
      past(request).ifPresent(past -> past.checkAbsent(namespace));
    }
    return found;
  }

  /** The collection of that name that the transaction of the request has made. */
  public Optional<Found> own(Request request, Namespace namespace) {
    return transactions
        .of(request)
        .flatMap(transaction -> transaction.created(namespace))
        .map(namespaces::describe);
  }

  /** Makes a collection or view. */
  public Collection create(Request request, Namespace namespace, CollectionSpec spec) {
    Names.checkCreatable(namespace);
    Optional<Transaction> transaction = transactions.of(request);
    return transaction.isPresent()
        ? transaction.get().create(namespace, spec)
        : engine().create(namespace, spec);
  }

  /** The collection of that name, which is made when there is none; a view is refused. */
  public Found created(Request request, Namespace namespace) {
    Optional<Found> found = find(request, namespace);
    if (found.isPresent()) {
      return found.get().asCollection();
    }
    request.operation().mayWait();
    try {
      create(request, namespace, Namespaces.PLAIN);
    } catch (EngineException failure) {
      if (failure.reason() != Reason.COLLECTION_EXISTS) {
        throw failure;
      }
    }
    return find(request, namespace)
        .orElseThrow(() -> new EngineException(Reason.COLLECTION_EXISTS, namespace.toString()))
        .asCollection();
  }
}

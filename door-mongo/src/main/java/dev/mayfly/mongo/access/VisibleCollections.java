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
 * Finds and creates the collections that a request sees. A collection created in a transaction is
 * visible to other requests after the commit. Safe for many threads.
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

  /** The collections outside of transactions. */
  public Namespaces namespaces() {
    return namespaces;
  }

  Engine engine() {
    return namespaces.engine();
  }

  /** The transaction of a request, if any. */
  public Optional<Transaction> transaction(Request request) {
    return transactions.of(request);
  }

  /** Aborts the transaction of a request, if any. */
  void abortTransaction(Request request) {
    if (Transactions.includes(request)) {
      transactions.failed(request);
    }
  }

  /** The transaction or snapshot that a request reads from, if any. */
  Optional<Transaction> readView(Request request) {
    return transactions.of(request).or(() -> snapshots.of(request));
  }

  /**
   * The collection or view of that name. A read from a snapshot fails if the collection existed at
   * its instant and was dropped since.
   */
  public Optional<Found> find(Request request, Namespace namespace) {
    Optional<Found> found = own(request, namespace).or(() -> namespaces.find(namespace));
    if (found.isEmpty()) {
      readView(request).ifPresent(view -> view.checkAbsent(namespace));
    }
    return found;
  }

  /** The collection of that name that the transaction of the request has created. */
  public Optional<Found> own(Request request, Namespace namespace) {
    return transactions
        .of(request)
        .flatMap(transaction -> transaction.created(namespace))
        .map(namespaces::describe);
  }

  /** Creates a collection or view. */
  public Collection create(Request request, Namespace namespace, CollectionSpec spec) {
    Names.checkCreatable(namespace);
    Optional<Transaction> transaction = transactions.of(request);
    return transaction.isPresent()
        ? transaction.get().create(namespace, spec)
        : engine().create(namespace, spec);
  }

  /** The collection of that name, created if it does not exist; fails for a view. */
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

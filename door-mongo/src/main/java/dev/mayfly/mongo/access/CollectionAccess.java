package dev.mayfly.mongo.access;

import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Transaction;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.collection.Validation;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.collection.Views;
import dev.mayfly.mongo.command.DefaultConcerns;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.pipeline.PipelineSource;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import java.util.Optional;

/**
 * Opens collections for the reads and writes of a request, inside or outside a transaction. Safe
 * for many threads.
 */
public final class CollectionAccess {
  /** Accepts all documents. */
  private static final Validator ACCEPT_ALL =
      new Validator(new Namespace("any", "any"), Validation.NONE);

  private final VisibleCollections collections;
  private final DefaultConcerns defaults;
  private final IndexUsage indexUsage;

  /**
   * Access to the collections of one engine.
   *
   * @param defaults default read and write concern
   * @param indexUsage counts the use of indexes
   */
  public CollectionAccess(
      VisibleCollections collections, DefaultConcerns defaults, IndexUsage indexUsage) {
    this.collections = collections;
    this.defaults = defaults;
    this.indexUsage = indexUsage;
  }

  /** The durability of writes without a write concern. */
  public Durability defaultDurability() {
    return defaults.durability();
  }

  /** Aborts the transaction of a request: a write error rolls it back. */
  public void abortTransaction(Request request) {
    collections.abortTransaction(request);
  }

  /** Whether a namespace is a view. */
  public boolean isView(Namespace namespace) {
    return collections.namespaces().find(namespace).map(Found::isView).orElse(false);
  }

  /** Fails if the namespace is a view. */
  public void checkNotView(Namespace namespace) {
    collections.namespaces().find(namespace).ifPresent(Found::asCollection);
  }

  /** Fails if the namespace is a view, or a collection that only the server writes. */
  public void checkChangeable(Namespace namespace) {
    Names.checkWritable(namespace);
    checkNotView(namespace);
  }

  /** Resolves a namespace: the collection, and the stages of the views over it. */
  public Views.Source follow(Namespace namespace) {
    return collections.namespaces().views().follow(namespace);
  }

  /** The collection to write, if it exists; fails for a view. */
  public Optional<CollectionOperations> existing(
      Request request, Namespace namespace, Durability durability) {
    Names.checkWritable(namespace);
    return found(request, namespace, durability);
  }

  private Optional<CollectionOperations> found(
      Request request, Namespace namespace, Durability durability) {
    return collections
        .find(request, namespace)
        .map(found -> documents(request, found.asCollection(), durability));
  }

  /** The collection to read, if it exists; fails for a view. */
  public Optional<CollectionOperations> existing(Request request, Namespace namespace) {
    return found(request, namespace, defaultDurability());
  }

  /**
   * The collation of a read: the one in the request, else the default of the collection or view.
   *
   * @throws CommandException OPTION_NOT_SUPPORTED_ON_VIEW if the request names another collation
   *     than the view has
   */
  public Collation collation(Request request, Namespace namespace) {
    Document requested = request.document("collation");
    Optional<Found> found = collections.find(request, namespace);
    if (found.isEmpty()) {
      return RequestCollation.of(requested);
    }
    Collation collation = RequestCollation.of(requested, found.get().spec());
    checkFits(collation, found.get());
    return collation;
  }

  /**
   * Fails if a joined view has another collation than the pipeline.
   *
   * @throws CommandException OPTION_NOT_SUPPORTED_ON_VIEW
   */
  public void checkJoined(Namespace namespace, Collation collation) {
    collections.namespaces().find(namespace).ifPresent(found -> checkFits(collation, found));
  }

  private static void checkFits(Collation collation, Found found) {
    if (found.isView() && !collation.toDocument().equals(defaultCollation(found).toDocument())) {
      throw new CommandException(
          ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW, "Cannot override a view's default collation");
    }
  }

  private static Collation defaultCollation(Found found) {
    return RequestCollation.of(found.options().collation());
  }

  /** The collection, created if it does not exist; fails for a view. */
  public CollectionOperations created(Request request, Namespace namespace, Durability durability) {
    Names.checkWritable(namespace);
    return documents(request, collections.created(request, namespace), durability);
  }

  private CollectionOperations documents(Request request, Found found, Durability durability) {
    boolean bypass = bypassesValidation(request);
    Optional<Transaction> transaction = collections.readView(request);
    QueryTracker queryTracker =
        new QueryTracker(indexUsage.of(found.collection(), request.now()), request.operation());
    if (transaction.isPresent()) {
      return new TransactionOperations(
          transaction.get(),
          found.collection(),
          bypass ? ACCEPT_ALL : found.validator().at(request.now()),
          queryTracker);
    }
    return new DirectOperations(
        engine(),
        found.collection(),
        bypass ? ACCEPT_ALL : found.validator().at(request.now()),
        durability,
        SessionWrite.of(request),
        queryTracker,
        request.operation());
  }

  /**
   * A collection that {@code $out} fills and then puts in the place of the target; see {@link
   * RequestCollections#replace}.
   */
  PipelineSource.Replacement replacement(Request request, Namespace namespace) {
    Names.checkWritable(namespace);
    Optional<Found> replaced = collections.namespaces().find(namespace).map(Found::asCollection);
    if (replaced.isPresent() && replaced.get().spec().capped()) {
      throw new CommandException(
          ErrorCode.location(17152),
          "namespace '" + namespace + "' is capped so it can't be used for $out");
    }
    Validator validator =
        bypassesValidation(request)
            ? ACCEPT_ALL
            : replaced.map(Found::validator).orElse(ACCEPT_ALL).at(request.now());
    return new ReplacementCollection(
        request.operation(), engine(), namespace, defaultDurability(), validator);
  }

  private static boolean bypassesValidation(Request request) {
    return request.flag("bypassDocumentValidation", false);
  }

  private Engine engine() {
    return collections.engine();
  }
}

package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.access.VisibleCollections;
import dev.mayfly.mongo.collection.DuplicateKey;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.IndexRequest;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code createIndexes}: creates indexes, and the collection if it does not exist. Returns when the
 * indexes are built.
 */
public final class CreateIndexesCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of("indexes", "commitQuorum", "ignoreUnknownIndexOptions", GuardedAlter.GUARD);

  /** The transaction table of MongoDB, which cannot have indexes. */
  private static final Namespace TRANSACTIONS = new Namespace("config", "transactions");

  /** How many documents are looked at to find out whether a TTL index can expire them. */
  private static final int SAMPLE = 200;

  private static final System.Logger LOG = System.getLogger(CreateIndexesCommand.class.getName());

  private final VisibleCollections collections;

  public CreateIndexesCommand(VisibleCollections collections) {
    this.collections = collections;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Namespace namespace = request.namespace();
    check(namespace);
    // only the type is checked; unknown options always fail
    request.flag("ignoreUnknownIndexOptions", false);
    List<Document> raw = request.documents("indexes");
    Optional<Found> found = collections.find(request, namespace);
    IndexPlan plan = plan(namespace, raw, found);
    Optional<Transaction> transaction = collections.transaction(request);
    if (transaction.isPresent() && found.isPresent() && !plan.missing().isEmpty()) {
      checkNew(transaction.get(), found.get().collection());
    }
    Collection collection = collections.created(request, namespace).collection();
    int before = Indexes.of(collection.spec()).size();
    Usage expired = create(request, transaction, collection, plan);
    reply.put("numIndexesBefore", before);
    reply.put("numIndexesAfter", Indexes.of(collection.spec()).size());
    if (plan.missing().isEmpty()) {
      reply.put("note", "all indexes already exist");
      return;
    }
    reply.put("createdCollectionAutomatically", found.isEmpty());
    Value quorum = request.field("commitQuorum");
    reply.put("commitQuorum", quorum.isMissing() ? Value.of("votingMembers") : quorum);
    List<String> notes = new ArrayList<>();
    if (plan.missing().size() < raw.size()) {
      notes.add("index already exists");
    }
    if (plan.expires() && transaction.isEmpty()) {
      plan.missing()
          .forEach(index -> unusable(request, collection, index.form()).ifPresent(notes::add));
    }
    if (!notes.isEmpty()) {
      reply.put("note", String.join("; ", notes));
    }
    GuardedAlter.writeExpired(request, plan.expires(), expired, reply);
  }

  /** Returns a note if a TTL index cannot expire most documents of a sample. */
  private static Optional<String> unusable(
      Request request, Collection collection, IndexForm index) {
    NeverExpiring sample = collection.expiry(request.operation()).neverExpiring(SAMPLE);
    List<NeverExpiring.Cause> causes =
        sample.byRule().stream()
            .filter(cause -> cause.verdict().rule().equals("index:" + index.name()))
            .toList();
    long unusable = causes.stream().mapToLong(NeverExpiring.Cause::documents).sum();
    return unusable * 2 <= sample.sampled()
        ? Optional.empty()
        : Optional.of(
            index.name()
                + " does not expire "
                + unusable
                + " of "
                + sample.sampled()
                + (sample.exact() ? " documents" : " sampled documents")
                + ", for example because: "
                + causes.getFirst().verdict().why());
  }

  private static void check(Namespace namespace) {
    Names.checkWritable(namespace);
    if (namespace.equals(TRANSACTIONS)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "not allowed to create index on " + namespace);
    }
  }

  /** Returns the indexes to create. The collection need not exist. */
  static IndexPlan plan(Namespace namespace, List<Document> raw, Optional<Found> found) {
    if (found.isPresent() && found.get().isView()) {
      // as in MongoDB, an invalid specification is reported first
      IndexPlan.of(namespace, raw, List.of(), Document.EMPTY);
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, "Cannot create indexes on a view");
    }
    return IndexPlan.of(
        namespace,
        raw,
        found.map(one -> Indexes.of(one.spec())).orElse(List.of(IndexForm.ID)),
        found.map(one -> one.options().collation()).orElse(Document.EMPTY));
  }

  /** A transaction can create indexes only on an empty collection that it has created itself. */
  private static void checkNew(Transaction transaction, Collection collection) {
    boolean own = transaction.created(collection.namespace()).isPresent();
    if (!own || transaction.wrote(collection)) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Cannot create new indexes on "
              + (own ? "non-empty" : "existing")
              + " collection "
              + collection.namespace()
              + " in a multi-document transaction.");
    }
  }

  private static Usage create(
      Request request, Optional<Transaction> transaction, Collection collection, IndexPlan plan) {
    if (plan.missing().isEmpty()) {
      return Usage.NONE;
    }
    if (transaction.isPresent()) {
      transaction.get().alter(collection, plan::added);
      return Usage.NONE;
    }
    return create(request, collection, plan);
  }

  private static Usage create(Request request, Collection collection, IndexPlan plan) {
    Usage expired = GuardedAlter.apply(request, collection, plan::added, plan.expires());
    CollectionSpec requested = collection.spec();
    try {
      for (IndexRequest index : plan.missing()) {
        String name = index.form().name();
        if (requested.indexes().stream().anyMatch(spec -> spec.name().equals(name))) {
          collection.awaitBuilt(request.operation(), name);
        }
      }
    } catch (EngineException failure) {
      collection.alter(plan::withdrawn);
      throw failed(failure, collection, requested);
    } catch (CommandException interrupted) {
      collection.alter(plan::withdrawn);
      throw interrupted;
    }
    plan.missing().stream()
        .map(IndexRequest::form)
        .filter(Indexes::neverExpires)
        .forEach(index -> warn(collection, index));
    return expired;
  }

  private static void warn(Collection collection, IndexForm index) {
    LOG.log(
        Level.WARNING,
        "special index can''t be used as a TTL index, it expires nothing: {0} of {1}",
        index.name(),
        collection.namespace());
  }

  private static CommandException failed(
      EngineException failure, Collection collection, CollectionSpec requested) {
    CommandException cause = DuplicateKey.translate(failure, collection.namespace(), requested);
    return new CommandException(
            cause.code(),
            "Index build failed: Collection "
                + collection.namespace()
                + " ( "
                + collection.uuid()
                + " ) :: caused by :: "
                + cause.message())
        .with(cause.details());
  }
}

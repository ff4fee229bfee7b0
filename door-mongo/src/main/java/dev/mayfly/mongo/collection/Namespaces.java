package dev.mayfly.mongo.collection;

import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds collections and views by name. Collections of the other door are not seen.
 *
 * <p>What it says of a collection is read once and kept until the collection changes. Safe for many
 * threads.
 */
public final class Namespaces {
  /** A collection that nothing was said about: its feed tells what change streams show. */
  public static final CollectionSpec PLAIN =
      CollectionSpec.mongo()
          .withFeed(
              new FeedSpec(
                  ChangeImageMode.DIFFERENCES,
                  FeedSpec.DEFAULT.retentionMillis(),
                  FeedSpec.DEFAULT.maxBytes()));

  private final Engine engine;
  private final Views views = new Views(this);
  private final Map<Namespace, Found> known = new ConcurrentHashMap<>();

  public Namespaces(Engine engine) {
    this.engine = engine;
  }

  /** Drops what a server that was stopped had not finished. */
  public void dropLeftovers() {
    engine.namespaces().stream().filter(Names::isTemporary).forEach(engine::drop);
  }

  /**
   * A collection or a view.
   *
   * @param spec what options and validator were read from
   */
  public record Found(
      Collection collection, CollectionSpec spec, Options options, Validator validator) {
    public boolean isView() {
      return options.view().exists();
    }

    /** This when it is a collection; a view is refused. */
    public Found asCollection() {
      if (isView()) {
        throw onView("Namespace " + collection.namespace() + " is a view, not a collection");
      }
      return this;
    }
  }

  public Engine engine() {
    return engine;
  }

  public Views views() {
    return views;
  }

  /** The collection or view of that name. */
  public Optional<Found> find(Namespace namespace) {
    Optional<Collection> collection =
        engine.find(namespace).filter(found -> found.spec().dialect() == Dialect.MONGO);
    if (collection.isEmpty()) {
      known.remove(namespace);
      return Optional.empty();
    }
    return Optional.of(found(namespace, collection.get()));
  }

  private Found found(Namespace namespace, Collection collection) {
    Found kept = known.get(namespace);
    CollectionSpec spec = collection.spec();
    // a spec that has not been replaced is the same object
    if (kept == null || !isSame(kept, collection, spec)) {
      kept = describe(collection, spec);
      known.put(namespace, kept);
    }
    return kept;
  }

  /** What there is to know of a collection that need not have a name yet. */
  public Found describe(Collection collection) {
    return describe(collection, collection.spec());
  }

  private Found describe(Collection collection, CollectionSpec spec) {
    Options options = Options.of(spec);
    return new Found(
        collection,
        spec,
        options,
        new Validator(collection.namespace(), options.validation(), options.collation()));
  }

  // identity is what is asked: equal specs are the same too, but cost more to compare
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Found kept, Collection collection, CollectionSpec spec) {
    return kept.collection() == collection && kept.spec() == spec;
  }

  /**
   * The collection of that name.
   *
   * @param missing what to say when there is none
   * @throws CommandException NAMESPACE_NOT_FOUND, or COMMAND_NOT_SUPPORTED_ON_VIEW
   */
  public Found collection(Namespace namespace, String missing) {
    return find(namespace)
        .orElseThrow(() -> new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, missing))
        .asCollection();
  }

  /** All names of a database, in order. */
  public List<Namespace> of(String database) {
    return all().stream().filter(name -> name.database().equals(database)).toList();
  }

  /** All names, in order. */
  public List<Namespace> all() {
    List<Namespace> names = new ArrayList<>(engine.namespaces());
    names.removeIf(name -> find(name).isEmpty());
    return names;
  }

  static CommandException onView(String message) {
    return new CommandException(ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, message);
  }
}

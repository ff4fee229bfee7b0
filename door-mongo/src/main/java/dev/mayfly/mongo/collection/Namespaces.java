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
 * Lookup of collections and views by name. Containers of the Cosmos door are not visible.
 *
 * <p>Options and validator of a collection are parsed once and cached until the collection changes.
 * Thread-safe.
 */
public final class Namespaces {
  /**
   * The spec of a collection without options. Its feed records the differences that change streams
   * report.
   */
  public static final CollectionSpec PLAIN =
      CollectionSpec.mongo()
          .withFeed(
              new FeedSpec(
                  ChangeImageMode.DIFFERENCES,
                  FeedSpec.DEFAULT.retentionMillis(),
                  FeedSpec.DEFAULT.maxBytes()));

  private static final int MIN_CLEANED = 64;

  private final Engine engine;
  private final Views views = new Views(this);
  private final Map<Namespace, Found> cache = new ConcurrentHashMap<>();

  /** Size of the cache above which dropped collections are removed from it. */
  private volatile int cleanAt = MIN_CLEANED;

  public Namespaces(Engine engine) {
    this.engine = engine;
  }

  /** Drops temporary collections that a stopped server has left. */
  public void dropLeftovers() {
    engine.namespaces().stream().filter(Names::isTemporary).forEach(engine::drop);
  }

  /**
   * A collection or a view.
   *
   * @param spec the spec from which options and validator were parsed
   */
  public record Found(
      Collection collection, CollectionSpec spec, Options options, Validator validator) {
    public boolean isView() {
      return options.view().exists();
    }

    /**
     * Returns this if it is a collection.
     *
     * @throws CommandException COMMAND_NOT_SUPPORTED_ON_VIEW
     */
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

  /** Returns the collection or view with the name. */
  public Optional<Found> find(Namespace namespace) {
    Optional<Collection> collection =
        engine.find(namespace).filter(found -> found.spec().dialect() == Dialect.MONGO);
    if (collection.isEmpty()) {
      cache.remove(namespace);
      return Optional.empty();
    }
    return Optional.of(found(namespace, collection.get()));
  }

  private Found found(Namespace namespace, Collection collection) {
    Found cached = cache.get(namespace);
    CollectionSpec spec = collection.spec();
    // the engine returns the same object until the spec changes
    if (cached == null || !isSame(cached, collection, spec)) {
      cached = describe(collection, spec);
      cache.put(namespace, cached);
      forgetDropped();
    }
    return cached;
  }

  /**
   * Removes dropped collections whenever the cache has doubled: nothing may look for them again.
   */
  private void forgetDropped() {
    if (cache.size() > cleanAt) {
      cache.values().removeIf(found -> found.collection().dropped());
      cleanAt = Math.max(2 * cache.size(), MIN_CLEANED);
    }
  }

  /** Parses the options of a collection that need not be in the catalog yet. */
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

  // identity suffices; comparing equal specs would cost more
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Found cached, Collection collection, CollectionSpec spec) {
    return cached.collection() == collection && cached.spec() == spec;
  }

  /**
   * Returns the collection with the name.
   *
   * @param missing the error message if it does not exist
   * @throws CommandException NAMESPACE_NOT_FOUND, or COMMAND_NOT_SUPPORTED_ON_VIEW
   */
  public Found collection(Namespace namespace, String missing) {
    return find(namespace)
        .orElseThrow(() -> new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, missing))
        .asCollection();
  }

  /** Returns all names of a database, sorted. */
  public List<Namespace> of(String database) {
    return all().stream().filter(name -> name.database().equals(database)).toList();
  }

  /** Returns all names, sorted. */
  public List<Namespace> all() {
    List<Namespace> names = new ArrayList<>(engine.namespaces());
    names.removeIf(name -> find(name).isEmpty());
    return names;
  }

  static CommandException onView(String message) {
    return new CommandException(ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, message);
  }
}

package dev.mayfly.cosmos;

import dev.mayfly.cosmos.account.Account;
import dev.mayfly.cosmos.account.ContainerEndpoints;
import dev.mayfly.cosmos.account.Databases;
import dev.mayfly.cosmos.account.MetadataResource;
import dev.mayfly.cosmos.account.MetadataResources;
import dev.mayfly.cosmos.account.Offers;
import dev.mayfly.cosmos.account.Ranges;
import dev.mayfly.cosmos.account.Selection;
import dev.mayfly.cosmos.account.TtlForecasts;
import dev.mayfly.cosmos.attachment.AttachmentStore;
import dev.mayfly.cosmos.attachment.Attachments;
import dev.mayfly.cosmos.attachment.Media;
import dev.mayfly.cosmos.auth.ResourceTokens;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.feed.ChangeFeed;
import dev.mayfly.cosmos.feed.ReadFeed;
import dev.mayfly.cosmos.feed.VersionFeed;
import dev.mayfly.cosmos.item.BatchItems;
import dev.mayfly.cosmos.item.CreateItem;
import dev.mayfly.cosmos.item.DeleteItem;
import dev.mayfly.cosmos.item.DeletePartition;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.item.PatchItem;
import dev.mayfly.cosmos.item.ReadItem;
import dev.mayfly.cosmos.item.ReplaceItem;
import dev.mayfly.cosmos.item.TouchItems;
import dev.mayfly.cosmos.item.UpsertItem;
import dev.mayfly.cosmos.query.PlanQuery;
import dev.mayfly.cosmos.query.ResourceQueries;
import dev.mayfly.cosmos.query.RunQuery;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
import java.util.EnumMap;
import java.util.Map;

/**
 * Table of endpoints by resource type and verb: one for the account, which belongs to the server,
 * and one per engine for all other resources.
 */
final class Routes {
  private final Map<ResourceType, Map<Verb, Endpoint>> table = new EnumMap<>(ResourceType.class);

  private Routes() {}

  /** Returns the endpoints that need no engine. */
  static Routes ofAccount(Account account) {
    Routes routes = new Routes();
    routes.on(ResourceType.ACCOUNT, Verb.READ, account::read);
    return routes;
  }

  /** Returns the endpoints of one engine. */
  static Routes ofEngine(
      Containers containers,
      AttachmentStore store,
      ResourceTokens tokens,
      CosmosSettings settings) {
    Routes routes = new Routes();
    Selection selection = new ResourceQueries();
    MetadataResources metadataResources = new MetadataResources(containers, selection, tokens);
    routes.databases(containers, selection);
    routes.users(metadataResources);
    routes.scripts(metadataResources);
    Items items = new Items(containers, settings.durability());
    routes.items(items);
    routes.attachments(items, store, selection);
    routes.queries(containers, settings);
    routes.forecasts(new TtlForecasts(containers));
    return routes;
  }

  private void databases(Containers containers, Selection selection) {
    Offers offers = new Offers(containers, selection);
    Databases databases = new Databases(containers, offers, selection);
    ContainerEndpoints collections = new ContainerEndpoints(containers, offers, selection);
    on(ResourceType.DATABASE, Verb.CREATE, databases::create);
    on(ResourceType.DATABASE, Verb.READ, databases::read);
    on(ResourceType.DATABASE, Verb.LIST, databases::list);
    on(ResourceType.DATABASE, Verb.QUERY, databases::query);
    on(ResourceType.DATABASE, Verb.DELETE, databases::delete);
    on(ResourceType.CONTAINER, Verb.CREATE, collections::create);
    on(ResourceType.CONTAINER, Verb.READ, collections::read);
    on(ResourceType.CONTAINER, Verb.REPLACE, collections::replace);
    on(ResourceType.CONTAINER, Verb.DELETE, collections::delete);
    on(ResourceType.CONTAINER, Verb.LIST, collections::list);
    on(ResourceType.CONTAINER, Verb.QUERY, collections::query);
    on(ResourceType.OFFER, Verb.READ, offers::read);
    on(ResourceType.OFFER, Verb.LIST, offers::list);
    on(ResourceType.OFFER, Verb.QUERY, offers::query);
    on(ResourceType.OFFER, Verb.REPLACE, offers::replace);
    Ranges ranges = new Ranges(containers);
    on(ResourceType.PARTITION_KEY_RANGE, Verb.LIST, ranges::list);
    on(ResourceType.PARTITION_KEY_RANGE, Verb.CHANGES, ranges::list);
  }

  private void users(MetadataResources metadataResources) {
    MetadataResource users = metadataResources.users();
    resource(ResourceType.USER, users);
    resource(ResourceType.PERMISSION, metadataResources.permissions(users));
    MetadataResource keys = metadataResources.clientKeys();
    on(ResourceType.CLIENT_KEY, Verb.CREATE, keys::create);
    on(ResourceType.CLIENT_KEY, Verb.READ, keys::read);
    on(ResourceType.CLIENT_KEY, Verb.REPLACE, keys::replace);
    on(ResourceType.CLIENT_KEY, Verb.LIST, keys::list);
    on(ResourceType.CLIENT_KEY, Verb.QUERY, keys::query);
  }

  private void scripts(MetadataResources metadataResources) {
    MetadataResource procedures =
        metadataResources.scripts(
            ResourceType.STORED_PROCEDURE, "StoredProcedures", Rid.Kind.STORED_PROCEDURE);
    resource(ResourceType.STORED_PROCEDURE, procedures);
    script(metadataResources, ResourceType.TRIGGER, "Triggers", Rid.Kind.TRIGGER);
    script(metadataResources, ResourceType.FUNCTION, "UserDefinedFunctions", Rid.Kind.FUNCTION);
    on(ResourceType.STORED_PROCEDURE, Verb.EXECUTE, metadataResources.execution(procedures));
    on(ResourceType.CONFLICT, Verb.LIST, metadataResources::conflicts);
    on(ResourceType.CONFLICT, Verb.QUERY, metadataResources::conflicts);
    on(ResourceType.CONFLICT, Verb.READ, metadataResources::conflict);
    on(ResourceType.CONFLICT, Verb.DELETE, metadataResources::conflict);
  }

  private void script(
      MetadataResources metadataResources, ResourceType type, String feed, Rid.Kind kind) {
    resource(type, metadataResources.scripts(type, feed, kind));
  }

  private void resource(ResourceType type, MetadataResource metadataResource) {
    on(type, Verb.CREATE, metadataResource::create);
    on(type, Verb.UPSERT, metadataResource::upsert);
    on(type, Verb.READ, metadataResource::read);
    on(type, Verb.REPLACE, metadataResource::replace);
    on(type, Verb.DELETE, metadataResource::delete);
    on(type, Verb.LIST, metadataResource::list);
    on(type, Verb.QUERY, metadataResource::query);
  }

  private void items(Items items) {
    on(ResourceType.ITEM, Verb.CREATE, new CreateItem(items));
    on(ResourceType.ITEM, Verb.UPSERT, new UpsertItem(items));
    on(ResourceType.ITEM, Verb.BATCH, new BatchItems(items));
    on(ResourceType.ITEM, Verb.READ, new ReadItem(items));
    on(ResourceType.ITEM, Verb.REPLACE, new ReplaceItem(items));
    on(ResourceType.ITEM, Verb.PATCH, new PatchItem(items));
    on(ResourceType.ITEM, Verb.DELETE, new DeleteItem(items));
    on(ResourceType.ITEM, Verb.LIST, new ReadFeed(items));
    on(ResourceType.ITEM, Verb.CHANGES, new ChangeFeed(items));
    on(ResourceType.ITEM, Verb.VERSIONS, new VersionFeed(items));
    on(ResourceType.OPERATION, Verb.EXECUTE, new DeletePartition(items));
    on(ResourceType.TOUCH, Verb.CREATE, new TouchItems(items));
  }

  private void attachments(Items items, AttachmentStore store, Selection selection) {
    Attachments attachments = new Attachments(items, store, selection);
    on(ResourceType.ATTACHMENT, Verb.CREATE, attachments::create);
    on(ResourceType.ATTACHMENT, Verb.UPSERT, attachments::upsert);
    on(ResourceType.ATTACHMENT, Verb.READ, attachments::read);
    on(ResourceType.ATTACHMENT, Verb.REPLACE, attachments::replace);
    on(ResourceType.ATTACHMENT, Verb.DELETE, attachments::delete);
    on(ResourceType.ATTACHMENT, Verb.LIST, attachments::list);
    on(ResourceType.ATTACHMENT, Verb.QUERY, attachments::query);
    Media media = new Media(store);
    on(ResourceType.MEDIA, Verb.READ, media::read);
    on(ResourceType.MEDIA, Verb.REPLACE, media::replace);
  }

  private void queries(Containers containers, CosmosSettings settings) {
    boolean lenient = settings.lenientOrder();
    on(
        ResourceType.ITEM,
        Verb.QUERY,
        new RunQuery(containers, settings.wall(), lenient, settings.http().memory().shareBytes()));
    on(ResourceType.ITEM, Verb.PLAN, new PlanQuery(containers));
  }

  private void forecasts(TtlForecasts ttlForecasts) {
    on(ResourceType.FORECAST, Verb.LIST, ttlForecasts::forecast);
    on(ResourceType.LIVES, Verb.CREATE, ttlForecasts::lives);
    on(ResourceType.WARNINGS, Verb.CREATE, ttlForecasts::warnings);
    on(ResourceType.WHAT_IF, Verb.CREATE, ttlForecasts::whatIf);
    on(ResourceType.UNDO, Verb.CREATE, ttlForecasts::undo);
  }

  private void on(ResourceType type, Verb verb, Endpoint endpoint) {
    table.computeIfAbsent(type, _ -> new EnumMap<>(Verb.class)).put(verb, endpoint);
  }

  /**
   * Returns the endpoint of a request.
   *
   * @throws CosmosException 405 if there is none
   */
  Endpoint find(Exchange exchange) {
    ResourceType type = exchange.address().type();
    Verb verb = Verb.of(exchange.request(), exchange.address());
    Endpoint endpoint = table.getOrDefault(type, Map.of()).get(verb);
    if (endpoint == null) {
      throw new CosmosException(
          Status.METHOD_NOT_ALLOWED,
          "Mayfly does not support " + exchange.request().method() + " on " + name(exchange) + ".");
    }
    return endpoint;
  }

  private static String name(Exchange exchange) {
    String word = exchange.address().type().word();
    return exchange.address().feed() ? "the list of " + word : word + "/{id}";
  }
}

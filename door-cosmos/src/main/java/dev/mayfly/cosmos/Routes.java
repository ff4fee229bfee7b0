package dev.mayfly.cosmos;

import dev.mayfly.cosmos.account.Account;
import dev.mayfly.cosmos.account.Collections;
import dev.mayfly.cosmos.account.Databases;
import dev.mayfly.cosmos.account.Foresight;
import dev.mayfly.cosmos.account.Offers;
import dev.mayfly.cosmos.account.Ranges;
import dev.mayfly.cosmos.account.Selection;
import dev.mayfly.cosmos.account.Shelf;
import dev.mayfly.cosmos.account.Shelves;
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
import dev.mayfly.cosmos.item.UpsertItem;
import dev.mayfly.cosmos.query.PlanQuery;
import dev.mayfly.cosmos.query.ResourceQueries;
import dev.mayfly.cosmos.query.RunQuery;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
import java.util.EnumMap;
import java.util.Map;

/** The one table of what the door does: by kind of resource and by what is to be done to it. */
final class Routes {
  private final Map<ResourceType, Map<Verb, Endpoint>> table = new EnumMap<>(ResourceType.class);

  private Routes() {}

  static Routes of(
      Containers containers,
      AttachmentStore store,
      ResourceTokens tokens,
      CosmosSettings settings) {
    Routes routes = new Routes();
    Selection selection = new ResourceQueries();
    Shelves shelves = new Shelves(containers, selection, tokens, settings.wall());
    routes.account(containers, selection);
    routes.people(shelves);
    routes.scripts(shelves);
    Items items = new Items(containers, settings.durability());
    routes.items(items);
    routes.attachments(items, store, selection);
    routes.queries(containers, settings);
    routes.ours(new Foresight(containers));
    return routes;
  }

  private void account(Containers containers, Selection selection) {
    Offers offers = new Offers(containers, selection);
    Databases databases = new Databases(containers, offers, selection);
    Collections collections = new Collections(containers, offers, selection);
    on(ResourceType.ACCOUNT, Verb.READ, new Account()::read);
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

  private void people(Shelves shelves) {
    Shelf users = shelves.users();
    shelf(ResourceType.USER, users);
    shelf(ResourceType.PERMISSION, shelves.permissions(users));
    Shelf keys = shelves.clientKeys();
    on(ResourceType.CLIENT_KEY, Verb.CREATE, keys::create);
    on(ResourceType.CLIENT_KEY, Verb.READ, keys::read);
    on(ResourceType.CLIENT_KEY, Verb.REPLACE, keys::replace);
    on(ResourceType.CLIENT_KEY, Verb.LIST, keys::list);
    on(ResourceType.CLIENT_KEY, Verb.QUERY, keys::query);
  }

  private void scripts(Shelves shelves) {
    Shelf procedures =
        shelves.scripts(
            ResourceType.STORED_PROCEDURE, "StoredProcedures", Rid.Kind.STORED_PROCEDURE);
    shelf(ResourceType.STORED_PROCEDURE, procedures);
    script(shelves, ResourceType.TRIGGER, "Triggers", Rid.Kind.TRIGGER);
    script(shelves, ResourceType.FUNCTION, "UserDefinedFunctions", Rid.Kind.FUNCTION);
    on(ResourceType.STORED_PROCEDURE, Verb.EXECUTE, shelves.execution(procedures));
    on(ResourceType.CONFLICT, Verb.LIST, shelves::conflicts);
    on(ResourceType.CONFLICT, Verb.QUERY, shelves::conflicts);
    on(ResourceType.CONFLICT, Verb.READ, shelves::conflict);
    on(ResourceType.CONFLICT, Verb.DELETE, shelves::conflict);
  }

  private void script(Shelves shelves, ResourceType type, String feed, Rid.Kind kind) {
    shelf(type, shelves.scripts(type, feed, kind));
  }

  private void shelf(ResourceType type, Shelf shelf) {
    on(type, Verb.CREATE, shelf::create);
    on(type, Verb.UPSERT, shelf::upsert);
    on(type, Verb.READ, shelf::read);
    on(type, Verb.REPLACE, shelf::replace);
    on(type, Verb.DELETE, shelf::delete);
    on(type, Verb.LIST, shelf::list);
    on(type, Verb.QUERY, shelf::query);
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

  private void ours(Foresight foresight) {
    on(ResourceType.FORECAST, Verb.LIST, foresight::forecast);
    on(ResourceType.WHAT_IF, Verb.CREATE, foresight::whatIf);
    on(ResourceType.UNDO, Verb.CREATE, foresight::undo);
  }

  private void on(ResourceType type, Verb verb, Endpoint endpoint) {
    table.computeIfAbsent(type, _ -> new EnumMap<>(Verb.class)).put(verb, endpoint);
  }

  /**
   * What a request asks for.
   *
   * @throws Refusal when that is not served
   */
  Endpoint find(Exchange exchange) {
    ResourceType type = exchange.address().type();
    Verb verb = Verb.of(exchange.request(), exchange.address());
    Endpoint endpoint = table.getOrDefault(type, Map.of()).get(verb);
    if (endpoint == null) {
      throw new Refusal(
          Status.METHOD_NOT_ALLOWED,
          "Mayfly does not serve " + exchange.request().method() + " on " + place(exchange) + ".");
    }
    return endpoint;
  }

  private static String place(Exchange exchange) {
    String word = exchange.address().type().word();
    return exchange.address().feed() ? "the list of " + word : word + "/{id}";
  }
}

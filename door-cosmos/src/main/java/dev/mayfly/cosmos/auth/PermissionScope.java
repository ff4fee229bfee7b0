package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Database;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.item.PartitionKeys;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Scope of a permission: a resource and everything below it, perhaps limited to a partition key.
 * Permission and request may each use names or rids.
 */
final class PermissionScope {
  private final Containers containers;
  private final Address granted;
  private final Optional<String> partition;

  PermissionScope(Containers containers, Document permission) {
    this.containers = containers;
    this.granted = Address.of(permission.field("resource").asString());
    Value key = permission.field("resourcePartitionKey");
    this.partition = key.isArray() ? Optional.of(Json.write(key)) : Optional.empty();
  }

  /** Whether a request is within the scope. */
  boolean covers(Request request, Address requested) {
    if (requested.type() == ResourceType.ACCOUNT || readsContainer(request, requested)) {
      return true;
    }
    if (requested.type() == ResourceType.MEDIA) {
      return coversMedia(requested);
    }
    return granted.id(ResourceType.ITEM).isPresent()
        ? coversItem(request, requested)
        : within(link(requested), link(granted)) && inPartition(request, requested);
  }

  /** Clients read the container and its ranges before they access items. */
  private boolean readsContainer(Request request, Address requested) {
    boolean read =
        request.method().equals("GET")
            && (requested.type() == ResourceType.CONTAINER
                || requested.type() == ResourceType.PARTITION_KEY_RANGE);
    return read
        && containers.container(requested).isPresent()
        && containers.container(requested).equals(containers.container(granted));
  }

  private static boolean within(String requested, String granted) {
    return requested.equals(granted) || requested.startsWith(granted + "/");
  }

  /** Returns an address with names for the database and the container. */
  private String link(Address address) {
    Optional<Container> container = containers.container(address);
    if (container.isEmpty()) {
      return containers.database(address).map(Database::link).orElse(address.link())
          + (address.depth() > 1 ? "/" + address.type().word() + "/" + address.id() : "");
    }
    if (!address.byRid()) {
      return address.link();
    }
    String owner = container.get().link();
    return address.depth() > 2 ? owner + "/" + address.type().word() + "/" + address.id() : owner;
  }

  private boolean inPartition(Request request, Address requested) {
    Optional<Container> container = containers.container(requested);
    if (partition.isEmpty() || container.isEmpty()) {
      return partition.isEmpty();
    }
    if (requested.type() == ResourceType.CONTAINER) {
      return false;
    }
    try {
      List<Value> values = PartitionKeys.values(partition.get(), container.get());
      boolean named =
          PartitionKeys.prefix(request, container.get())
              .filter(key -> begins(key, values))
              .isPresent();
      return named
          && (requested.id(ResourceType.ITEM).isEmpty()
              || begins(Items.key(request, requested, container.get()).partition(), values));
    } catch (CosmosException invalid) {
      return false;
    }
  }

  private static boolean begins(List<Value> key, List<Value> with) {
    if (key.size() < with.size()) {
      return false;
    }
    for (int i = 0; i < with.size(); i++) {
      if (!PartitionKeys.same(key.get(i), with.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean coversItem(Request request, Address requested) {
    Optional<Container> container = containers.container(requested);
    if (container.isEmpty()
        || !container.equals(containers.container(granted))
        || requested.id(ResourceType.ITEM).isEmpty()) {
      return false;
    }
    try {
      DocumentKey item = Items.key(request, requested, container.get());
      return isGranted(item, container.get())
          && coversAttachment(requested)
          && keepsId(request, requested, item);
    } catch (CosmosException missing) {
      return false;
    }
  }

  /** A replacement may change the id; a permission for one item must not create others. */
  private static boolean keepsId(Request request, Address requested, DocumentKey item) {
    if (requested.type() != ResourceType.ITEM || !request.method().equals("PUT")) {
      return true;
    }
    try {
      return Json.parse(request.body(), Limits.COSMOS).field("id").equals(item.id());
    } catch (ValueException invalid) {
      return true; // the endpoint rejects the malformed body
    }
  }

  private boolean coversAttachment(Address requested) {
    return granted.type() != ResourceType.ATTACHMENT
        || (requested.type() == ResourceType.ATTACHMENT && requested.id().equals(granted.id()));
  }

  /** A permission by name without a partition key is for all items of that name. */
  private boolean isGranted(DocumentKey item, Container container) {
    if (partition.isPresent() || granted.byRid()) {
      return item.equals(grantedItem(container));
    }
    return granted.id(ResourceType.ITEM).map(Value::of).filter(item.id()::equals).isPresent();
  }

  /** Returns the key of the item that the permission is for, whether by name or by rid. */
  private DocumentKey grantedItem(Container container) {
    Map<String, String> headers =
        partition.map(key -> Map.of(HeaderNames.PARTITION_KEY, key)).orElse(Map.of());
    return Items.key(Request.of("GET", "/", headers), granted, container);
  }

  private boolean coversMedia(Address requested) {
    Optional<Rid> attachment = Rid.ofMedia(requested.id());
    Optional<Container> container = attachment.flatMap(containers::container);
    if (container.isEmpty()) {
      return false;
    }
    if (granted.id(ResourceType.ITEM).isEmpty()) {
      return partition.isEmpty() && within(container.get().link(), link(granted));
    }
    try {
      return container.equals(containers.container(granted))
          && container
              .get()
              .collection()
              .read(grantedItem(container.get()))
              .map(StoredDocument::birth)
              .filter(birth -> birth == attachment.get().number())
              .isPresent();
    } catch (CosmosException missing) {
      return false;
    }
  }
}

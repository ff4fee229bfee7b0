package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.auth.ResourceTokens;
import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Database;
import dev.mayfly.cosmos.container.Metadata.Entry;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Locale;

/** Creates the endpoints of resources that are stored as metadata. */
public final class MetadataResources {
  private static final long TOKEN_SECONDS = 3_600;
  private static final long MIN_TOKEN_SECONDS = 10;
  private static final long MAX_TOKEN_SECONDS = 18_000;

  private static final String KEY = "resourcePartitionKey";

  private final Containers containers;
  private final Selection selection;
  private final ResourceTokens tokens;

  public MetadataResources(Containers containers, Selection selection, ResourceTokens tokens) {
    this.containers = containers;
    this.selection = selection;
    this.tokens = tokens;
  }

  /** Returns the endpoints of a database's users. */
  public MetadataResource users() {
    return new MetadataResource(
        containers.metadata(),
        ResourceType.USER,
        "Users",
        exchange -> owner(database(exchange)),
        new Users(),
        selection);
  }

  /** Returns the endpoints of client encryption keys, which only clients can unwrap. */
  public MetadataResource clientKeys() {
    return new MetadataResource(
        containers.metadata(),
        ResourceType.CLIENT_KEY,
        "ClientEncryptionKeys",
        exchange -> owner(database(exchange)),
        new ClientKeys(),
        selection);
  }

  private Database database(Exchange exchange) {
    return containers.database(exchange.address()).orElseThrow(CosmosException::notFound);
  }

  private static MetadataResource.Owner owner(Database database) {
    return new MetadataResource.Owner(database.link(), database.rid(), database.self());
  }

  private static MetadataResource.Owner owner(Container container) {
    return new MetadataResource.Owner(container.link(), container.rid(), container.self());
  }

  /** Returns the endpoints of users' permissions. */
  public MetadataResource permissions(MetadataResource users) {
    return new MetadataResource(
        containers.metadata(),
        ResourceType.PERMISSION,
        "Permissions",
        users::owner,
        new Permissions(),
        selection);
  }

  /** Returns the endpoints of stored procedures, triggers or user-defined functions. */
  public MetadataResource scripts(ResourceType type, String feed, Rid.Kind kind) {
    return new MetadataResource(
        containers.metadata(),
        type,
        feed,
        exchange -> owner(containers.find(exchange.address())),
        new Scripts(kind),
        selection);
  }

  /** Returns an empty list: with one region there are no conflicts. */
  public Reply conflicts(Exchange exchange) {
    Container container = containers.find(exchange.address());
    return AccountBodies.list(exchange, container.rid().text(), "Conflicts", List.of());
  }

  /** Fails with 404: with one region there are no conflicts. */
  public Reply conflict(Exchange exchange) {
    Container container = containers.find(exchange.address());
    boolean keyed = exchange.request().header(HeaderNames.PARTITION_KEY) != null;
    throw keyed || container.partitionKey().system()
        ? CosmosException.notFound()
        : CosmosException.wrong("PartitionKey value must be supplied for this operation.");
  }

  /** Returns the endpoint that refuses to execute scripts. */
  public Endpoint execution(MetadataResource scripts) {
    return exchange -> {
      scripts.read(exchange);
      throw new CosmosException(
          Status.NOT_IMPLEMENTED,
          "Mayfly stores stored procedures, triggers and user-defined functions, but does not"
              + " execute them.");
    };
  }

  private static final class Users implements MetadataResource.Kind {
    @Override
    public void check(Document body) {
      // a user has only an id
    }

    @Override
    public Rid rid(Rid owner, int number) {
      return owner.user(number);
    }

    @Override
    public boolean renamed() {
      return true;
    }

    @Override
    public void decorate(Exchange exchange, Entry entry, DocumentWriter resource) {
      resource.put("_permissions", "permissions/");
    }
  }

  private static final class ClientKeys implements MetadataResource.Kind {
    @Override
    public void check(Document body) {
      // the content of a key concerns only clients
    }

    @Override
    public Rid rid(Rid owner, int number) {
      return owner.clientKey(number);
    }

    @Override
    public boolean renamed() {
      return false;
    }

    @Override
    public void decorate(Exchange exchange, Entry entry, DocumentWriter resource) {
      // nothing to add
    }
  }

  private final class Permissions implements MetadataResource.Kind {
    @Override
    public void check(Document body) {
      Value mode = body.field("permissionMode");
      String word = mode.type() == Type.STRING ? mode.asString().toLowerCase(Locale.ROOT) : "";
      if (!word.equals("all") && !word.equals("read")) {
        throw CosmosException.wrong("The permissionMode must be 'All' or 'Read'.");
      }
      Value resource = body.field("resource");
      if (resource.type() != Type.STRING || Address.of(resource.asString()).depth() == 0) {
        throw CosmosException.wrong("The resource of a permission must be the link of a resource.");
      }
    }

    /** A user has one permission for a resource, or for a partition key in it. */
    @Override
    public void checkSiblings(Document body, List<Entry> others) {
      for (Entry other : others) {
        if (link(other.body()).equals(link(body))
            && other.body().field(KEY).equals(body.field(KEY))) {
          throw CosmosException.exists();
        }
      }
    }

    private static String link(Document permission) {
      return Address.of(permission.field("resource").asString()).link();
    }

    @Override
    public Rid rid(Rid owner, int number) {
      return owner.item(number);
    }

    @Override
    public boolean renamed() {
      return true;
    }

    @Override
    public void decorate(Exchange exchange, Entry entry, DocumentWriter resource) {
      resource.put("_token", tokens.issue(entry.link(), tokenSeconds(exchange)));
    }

    private static long tokenSeconds(Exchange exchange) {
      String text = exchange.request().header(HeaderNames.EXPIRY_SECONDS);
      if (text == null) {
        return TOKEN_SECONDS;
      }
      try {
        return Math.clamp(Long.parseLong(text.strip()), MIN_TOKEN_SECONDS, MAX_TOKEN_SECONDS);
      } catch (NumberFormatException invalid) {
        throw CosmosException.wrong(HeaderNames.EXPIRY_SECONDS + " must be a number of seconds.");
      }
    }
  }

  private record Scripts(Rid.Kind kind) implements MetadataResource.Kind {
    @Override
    public void check(Document body) {
      if (body.field("body").type() != Type.STRING) {
        throw CosmosException.wrong("The body of a script must be a string.");
      }
    }

    @Override
    public Rid rid(Rid owner, int number) {
      return owner.child(kind, number);
    }

    @Override
    public boolean renamed() {
      return false;
    }

    @Override
    public void decorate(Exchange exchange, Entry entry, DocumentWriter resource) {
      // nothing to add
    }
  }
}

package dev.mayfly.cosmos;

import dev.mayfly.cosmos.attachment.AttachmentStore;
import dev.mayfly.cosmos.attachment.AttachmentSweeper;
import dev.mayfly.cosmos.auth.Permissions;
import dev.mayfly.cosmos.auth.ResourceTokens;
import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.Engine;
import dev.mayfly.http.Reply;
import java.util.Optional;

/**
 * Resources of one engine and the endpoints that serve them.
 *
 * <p>Everything here belongs to the engine: metadata of databases and containers, offers, users and
 * permissions, attachments, cached pages of queries and change feeds. Connections, TLS,
 * authentication and the account belong to {@link CosmosDoor}, which has one backend per engine.
 * Safe for many threads. Closing it leaves the engine open.
 */
final class Backend implements AutoCloseable {
  private static final int WRONG_CONTAINER = 1024;

  private final Engine engine;
  private final Containers containers;
  private final Permissions permissions;
  private final Routes routes;
  private final AttachmentSweeper attachmentSweeper;

  private Backend(
      Engine engine, Containers containers, Routes routes, AttachmentSweeper attachmentSweeper) {
    this.engine = engine;
    this.containers = containers;
    this.permissions = new Permissions(containers);
    this.routes = routes;
    this.attachmentSweeper = attachmentSweeper;
  }

  /**
   * Loads the metadata of an engine and starts the sweeper of its attachments.
   *
   * @param cell number of the cell whose engine it is
   * @param tokens issues resource tokens for the permissions of this engine
   */
  static Backend open(Engine engine, int cell, CosmosSettings settings, ResourceTokens tokens) {
    Containers containers = new Containers(engine, new Metadata(engine, cell));
    AttachmentStore attachments = new AttachmentStore(containers, settings.durability());
    Routes routes = Routes.ofEngine(containers, attachments, tokens, settings);
    return new Backend(engine, containers, routes, AttachmentSweeper.start(attachments));
  }

  /** Returns the exchange of a request, which takes the time of the engine. */
  Exchange exchange(Call call) {
    return new Exchange(
        call.request(), call.address(), engine::now, call.activity(), call.pending());
  }

  /**
   * Checks that the permission of a client, if it has not shown the master key, allows its request.
   *
   * @throws CosmosException 401, 403
   */
  void authorize(Call call) {
    call.permission().ifPresent(link -> permissions.check(link, call.request(), call.address()));
  }

  /** Whether this engine has the database of an address. */
  boolean hasDatabase(Address address) {
    return containers.database(address).isPresent();
  }

  /**
   * Runs the endpoint of a request.
   *
   * @throws RuntimeException which {@link Replies} turns into an error reply
   */
  Reply run(Exchange exchange) {
    checkIntended(exchange);
    return routes.find(exchange).run(exchange);
  }

  /** Fails if the client expects another container, which had the same name. */
  private void checkIntended(Exchange exchange) {
    String intended = exchange.request().header(HeaderNames.INTENDED_RID);
    if (intended == null || exchange.address().container().isEmpty()) {
      return;
    }
    Optional<Container> found = containers.container(exchange.address());
    if (found.isPresent() && !found.get().rid().text().equals(intended)) {
      throw new CosmosException(
          Status.BAD_REQUEST,
          WRONG_CONTAINER,
          CosmosException.errors("The container was replaced by another one with the same name."));
    }
  }

  @Override
  public void close() {
    attachmentSweeper.close();
  }
}

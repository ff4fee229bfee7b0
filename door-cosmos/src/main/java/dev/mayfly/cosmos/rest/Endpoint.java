package dev.mayfly.cosmos.rest;

import dev.mayfly.http.Reply;

/** One operation of the protocol on one resource type. Shared by all connections. */
public interface Endpoint {
  /**
   * Runs the operation and returns the reply.
   *
   * @throws CosmosException if it fails
   */
  Reply run(Exchange exchange);
}

package dev.mayfly.cosmos.rest;

import dev.mayfly.http.Reply;

/** One operation of the protocol. Instances are shared by all connections. */
public interface Endpoint {
  /**
   * Does what is asked.
   *
   * @throws CosmosException when it is not done
   */
  Reply run(Exchange exchange);
}

package dev.mayfly.cosmos;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.http.Reply;

/**
 * The backends that answer requests: one {@link Backend} per engine, at this server or at others.
 *
 * <p>Called for every request, by many threads.
 */
interface Backends extends AutoCloseable {
  /**
   * Answers a request that does not concern the account. Failures of its operation become error
   * replies.
   *
   * @throws RuntimeException which {@link Replies#failure} turns into an error reply
   */
  Reply answer(Call call);

  /**
   * Checks the permission of a client that reads the account.
   *
   * @throws CosmosException 401, 403
   */
  void authorize(Call call);

  /** Whether the commit of a write can be shared with others on the event loop. */
  boolean sharesCommits();

  @Override
  void close();
}

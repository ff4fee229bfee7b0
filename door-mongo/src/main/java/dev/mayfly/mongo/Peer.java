package dev.mayfly.mongo;

import dev.mayfly.mongo.command.Client;

/** One who is connected, as the door sees it. Safe for many threads. */
interface Peer {
  Client client();

  /** Ends the conversation after the reply that is being made, or at once when there is none. */
  void stop();

  /** Ends the conversation whatever is going on. */
  void end();
}

package dev.mayfly.cosmos;

import dev.mayfly.cosmos.auth.AuthResult;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.http.Request;
import java.util.Optional;

/**
 * Request of an authenticated client, before it is known which {@link Backend} answers it.
 *
 * @param activity id that the client or the server gave to the request
 * @param pending commit that writes are added to, on the event loop; empty for a request that may
 *     block
 */
record Call(Request request, AuthResult caller, String activity, Optional<PendingCommit> pending) {
  Address address() {
    return caller.address();
  }

  /** Returns the link of the permission that the client has shown; empty for the master key. */
  Optional<String> permission() {
    return caller.permission();
  }
}

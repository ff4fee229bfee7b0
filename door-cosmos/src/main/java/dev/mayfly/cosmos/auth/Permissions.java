package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;

/**
 * Authorization by the permissions of one engine. A resource token is valid as long as its
 * permission exists. Safe for many threads.
 */
public final class Permissions {
  private final Containers containers;

  public Permissions(Containers containers) {
    this.containers = containers;
  }

  /**
   * Checks that a permission allows a request.
   *
   * @param link of the permission
   * @throws CosmosException 401 if the permission does not exist, 403 if it does not allow the
   *     request
   */
  public void check(String link, Request request, Address address) {
    Document permission =
        containers.metadata().find(link).orElseThrow(ResourceTokens::refused).body();
    boolean all = permission.field("permissionMode").asString().equalsIgnoreCase("all");
    boolean scoped = new PermissionScope(containers, permission).covers(request, address);
    if (!scoped || !(all || Verb.of(request, address).reads())) {
      throw new CosmosException(
          Status.FORBIDDEN,
          "Insufficient permissions provided in the authorization header for the corresponding"
              + " request. Please retry with another authorization header.");
    }
  }
}

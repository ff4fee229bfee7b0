package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.rest.Address;
import java.util.Optional;

/**
 * Outcome of authentication: the address that the client signed, and the permission to check.
 *
 * @param permission link of the permission that the resource token was issued for, such as {@code
 *     dbs/sales/users/ann/permissions/read}; empty for the master key, which may do everything
 */
public record AuthResult(Address address, Optional<String> permission) {
  /** Returns the id of the database that a permission belongs to. */
  public static String databaseOf(String permission) {
    String[] segments = permission.split("/", 3);
    return segments.length > 1 ? segments[1] : "";
  }
}

/**
 * Server for Azure Cosmos DB SDKs.
 *
 * <p>{@link dev.mayfly.cosmos.CosmosDoor} is one per server: connections, TLS, authentication, the
 * account. {@code Backend} is one per engine: metadata, permissions, caches and endpoints. {@code
 * Dispatcher} passes a request to the backend that owns its database; {@code Routes} is the table
 * of endpoints.
 */
@NullMarked
package dev.mayfly.cosmos;

import org.jspecify.annotations.NullMarked;

/**
 * Server for Azure Cosmos DB SDKs, split into a front and a back.
 *
 * <p>{@link dev.mayfly.cosmos.CosmosDoor} is the front, one per server: connections, TLS,
 * authentication, the account. {@code Backend} is the back, one per engine: metadata, permissions,
 * caches and endpoints. {@code Dispatcher} leads a request from one to the other; {@code Routes} is
 * the table of endpoints.
 */
@NullMarked
package dev.mayfly.cosmos;

import org.jspecify.annotations.NullMarked;

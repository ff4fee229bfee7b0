/**
 * The REST protocol: addresses, rids, headers, errors, and the {@link
 * dev.mayfly.cosmos.rest.Endpoint} interface with its {@link dev.mayfly.cosmos.rest.Exchange}.
 *
 * <p>Depends on {@code http} and on exceptions of the engine; knows no container and no item.
 */
@NullMarked
package dev.mayfly.cosmos.rest;

import org.jspecify.annotations.NullMarked;

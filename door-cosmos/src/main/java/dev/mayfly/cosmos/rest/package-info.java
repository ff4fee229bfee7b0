/**
 * The words of the REST protocol: addresses and ids of resources, headers, refusals, and what an
 * {@link dev.mayfly.cosmos.rest.Endpoint} works on.
 *
 * <p>Uses {@code http} alone; knows no container and no item.
 */
@NullMarked
package dev.mayfly.cosmos.rest;

import org.jspecify.annotations.NullMarked;

/**
 * Catalog: stored state, TTL rules and history of collections.
 *
 * <p>{@link dev.mayfly.engine.catalog.CollectionState} is one collection as stored, {@link
 * dev.mayfly.engine.catalog.CompiledCollection} the same prepared for operations. {@link
 * dev.mayfly.engine.catalog.Alteration} is a pure function: it computes the next state of a
 * collection from a changed spec. {@link dev.mayfly.engine.catalog.Catalog} and {@link
 * dev.mayfly.engine.catalog.CatalogLog} are guarded by the lock of the registry; the rest is
 * immutable.
 */
@NullMarked
package dev.mayfly.engine.catalog;

import org.jspecify.annotations.NullMarked;

/**
 * What the engine knows about collections: their stored state, rules and history.
 *
 * <p>{@link dev.mayfly.engine.catalog.CollectionState} is one collection as stored, {@link
 * dev.mayfly.engine.catalog.CompiledCollection} the same ready for use. {@link
 * dev.mayfly.engine.catalog.Alteration} is a pure function: it computes the next state of a
 * collection from a changed spec. {@link dev.mayfly.engine.catalog.Catalog} and {@link
 * dev.mayfly.engine.catalog.CatalogLog} are guarded by the lock of the registry; the rest is
 * immutable.
 */
@NullMarked
package dev.mayfly.engine.catalog;

import org.jspecify.annotations.NullMarked;

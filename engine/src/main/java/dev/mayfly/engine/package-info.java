/**
 * The database: collections whose documents live exactly as long as they should, on any store.
 *
 * <p>Enter through {@link dev.mayfly.engine.Engine}, which gives out {@link
 * dev.mayfly.engine.Collection}s. A write goes from there to the owner of its shard, where a group
 * of writes is decided and becomes one batch under one lock; a read asks the store and the one
 * predicate of {@code dev.mayfly.expiry}, and takes no lock. The keeper sweeps, builds, follows and
 * trims behind, in slices, in what the foreground leaves.
 *
 * <p>What is stored is specified in {@code docs/formats}: {@code layout.md} for keys, {@code
 * entries.md} for records, index and lane entries, {@code feed.md} for changes, {@code catalog.md}
 * for what is known of collections. What users may expect of expiry is in {@code docs/expiry.md}.
 *
 * <p>Uses {@code value}, {@code expiry}, {@code query} and the contract of {@code store}; knows no
 * protocol, no particular store and no clock but the one it is given. Engine, collections and feed
 * readers are safe for many threads; a cursor belongs to one at a time; all that is handed out as a
 * record is immutable.
 */
@NullMarked
package dev.mayfly.engine;

import org.jspecify.annotations.NullMarked;

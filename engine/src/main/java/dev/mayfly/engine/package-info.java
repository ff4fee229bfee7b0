/**
 * The database: collections whose documents live exactly as long as they should, on any store.
 *
 * <p>This package is the API: {@link dev.mayfly.engine.Engine} gives out {@link
 * dev.mayfly.engine.Collection}s, {@link dev.mayfly.engine.Transaction}s and {@link
 * dev.mayfly.engine.FeedReader}s. Doors use this package and {@code dev.mayfly.engine.index} only.
 * Implementation packages, each of which uses only those before it: {@code storage}, {@code
 * catalog}, {@code shard}, {@code read}, {@code sweep}, {@code local}.
 *
 * <p>Stored formats are specified in {@code docs/formats}; {@code docs/expiry.md} describes what
 * users can rely on.
 *
 * <p>Uses {@code value}, {@code expiry}, {@code query} and the contract of {@code store}. It knows
 * no protocol, no particular store, and no clock except the one it is given. Engine, collections
 * and feed readers are safe for many threads; a cursor belongs to one thread at a time; records are
 * immutable.
 */
@NullMarked
package dev.mayfly.engine;

import org.jspecify.annotations.NullMarked;

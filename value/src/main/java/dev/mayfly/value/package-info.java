/**
 * Documents as BSON bytes; types, order and keys of values.
 *
 * <p>Start at {@link dev.mayfly.value.Document}: checked once when it arrives, then read in place
 * through {@link dev.mayfly.value.Fields} and {@link dev.mayfly.value.Value}, which are views of
 * the same bytes. {@link dev.mayfly.value.Order} compares any two values as MongoDB or as Cosmos DB
 * does, and {@link dev.mayfly.value.KeyWriter} turns that order into byte order, in the format of
 * {@code docs/formats/keys.md}. {@link dev.mayfly.value.Json} and {@link
 * dev.mayfly.value.ExtendedJson} convert text to bytes and back.
 *
 * <p>Depends on the JDK and, for JSON, on a streaming tokenizer that no signature exposes.
 * Documents, values and paths are immutable and may be shared; cursors, readers and writers belong
 * to one thread.
 */
@NullMarked
package dev.mayfly.value;

import org.jspecify.annotations.NullMarked;

/**
 * Documents as BSON bytes, and everything that can be said about a value without knowing where it
 * is stored.
 *
 * <p>Enter through {@link dev.mayfly.value.Document}: checked once at the border, then read in
 * place through {@link dev.mayfly.value.Fields} and {@link dev.mayfly.value.Value}, both of which
 * are views of the same bytes. {@link dev.mayfly.value.Order} ranks any two values as MongoDB or as
 * Cosmos DB does, and {@link dev.mayfly.value.KeyWriter} turns that order into byte order, in the
 * format of {@code docs/formats/keys.md}. {@link dev.mayfly.value.Json} and {@link
 * dev.mayfly.value.ExtendedJson} turn text into bytes and back.
 *
 * <p>Depends on nothing but the JDK and, for JSON, on a streaming tokenizer that no signature
 * shows. Documents, values and paths are immutable and may be shared; cursors, readers and writers
 * belong to one thread.
 */
@NullMarked
package dev.mayfly.value;

import org.jspecify.annotations.NullMarked;

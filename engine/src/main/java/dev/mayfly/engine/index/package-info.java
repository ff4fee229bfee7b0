/**
 * Indexes: definitions, key extraction and bounds, as pure functions of documents and filters.
 *
 * <p>Entry points: {@link dev.mayfly.engine.index.IndexSpec} describes an index, {@link
 * dev.mayfly.engine.index.IndexKeys} extracts the keys of a document, {@link
 * dev.mayfly.engine.index.IndexMatch} computes the key ranges of a query. A document that matches a
 * filter has a key in the bounds of that filter.
 *
 * <p>Knows no store and no key layout: the engine adds the index id before a key and the primary
 * key after it. Uses {@code value} and {@code query}. Descriptions and matches are immutable;
 * {@code IndexKeys} belongs to one thread at a time.
 */
@NullMarked
package dev.mayfly.engine.index;

import org.jspecify.annotations.NullMarked;

/**
 * What an index holds and what it is good for, as pure functions of documents and filters.
 *
 * <p>Entry points: {@link dev.mayfly.engine.index.IndexSpec} describes an index, {@link
 * dev.mayfly.engine.index.IndexKeys} gives the keys that a document has in it, {@link
 * dev.mayfly.engine.index.IndexMatch} says which stretches of those keys answer a query. The three
 * belong together: a document that passes a filter has a key inside the bounds of that filter.
 *
 * <p>Knows no store and no key layout: keys begin with the first component and end with the last;
 * what identifies index and document is put around them by the engine. Uses {@code value} and
 * {@code query}. Descriptions and matches are immutable; {@code IndexKeys} belongs to one thread at
 * a time.
 */
@NullMarked
package dev.mayfly.engine.index;

import org.jspecify.annotations.NullMarked;

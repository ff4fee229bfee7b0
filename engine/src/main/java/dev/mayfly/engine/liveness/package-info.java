/**
 * Liveness of documents: the predicate, the progress of the sweep, and the parents that documents
 * follow. {@link dev.mayfly.engine.liveness.Liveness} is the entry.
 */
@NullMarked
package dev.mayfly.engine.liveness;

import org.jspecify.annotations.NullMarked;

/**
 * Changes of documents: what an update asks for, and its application on bytes.
 *
 * <p>{@link dev.mayfly.mql.update.Update} is the entry: a {@linkplain
 * dev.mayfly.mql.update.Replacement replacement}, {@linkplain dev.mayfly.mql.update.Modifications
 * modifications} of single paths, or a {@linkplain dev.mayfly.mql.update.PipelineUpdate computed}
 * document. {@link dev.mayfly.mql.update.UpsertDocument} makes the document that an update starts
 * from when there is none, {@link dev.mayfly.mql.update.UpdateDescription} says what differs
 * between two.
 *
 * <p>Updates are immutable and safe for any number of threads. Fields that an update does not name
 * are copied as they lie, never decoded.
 */
@NullMarked
package dev.mayfly.mql.update;

import org.jspecify.annotations.NullMarked;

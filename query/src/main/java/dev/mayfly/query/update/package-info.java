/**
 * Changes of documents: what an update asks for, and its application on bytes.
 *
 * <p>{@link dev.mayfly.query.update.Update} is the entry: a {@linkplain
 * dev.mayfly.query.update.Replacement replacement}, {@linkplain
 * dev.mayfly.query.update.Modifications modifications} of single paths, or a {@linkplain
 * dev.mayfly.query.update.Computed computed} document. {@link
 * dev.mayfly.query.update.UpsertDocument} makes the document that an update starts from when there
 * is none, {@link dev.mayfly.query.update.UpdateDescription} says what differs between two.
 *
 * <p>Updates are immutable and safe for any number of threads. Fields that an update does not name
 * are copied as they lie, never decoded.
 */
@NullMarked
package dev.mayfly.query.update;

import org.jspecify.annotations.NullMarked;

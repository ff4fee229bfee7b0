/**
 * Updates of documents, applied to bytes.
 *
 * <p>{@link dev.mayfly.mql.update.Update} is the entry: a {@linkplain
 * dev.mayfly.mql.update.Replacement replacement}, {@linkplain dev.mayfly.mql.update.Modifications
 * update operators} or a {@linkplain dev.mayfly.mql.update.PipelineUpdate pipeline}. {@link
 * dev.mayfly.mql.update.UpsertDocument} creates the document of an upsert, {@link
 * dev.mayfly.mql.update.UpdateDescription} computes the differences that change streams report.
 *
 * <p>Updates are immutable and safe for many threads. Fields that an update does not name are
 * copied as bytes, never decoded.
 */
@NullMarked
package dev.mayfly.mql.update;

import org.jspecify.annotations.NullMarked;

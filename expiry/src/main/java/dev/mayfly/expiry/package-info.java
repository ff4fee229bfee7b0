/**
 * What time to live means, as pure functions: no I/O, no threads, no clock but the one handed in.
 *
 * <p>A document stands at a {@linkplain dev.mayfly.expiry.Header#place place} of one or more {@link
 * dev.mayfly.expiry.Lane lanes}. At any instant a lane has a cutoff; a document whose place is at
 * or below a cutoff is expired. {@link dev.mayfly.expiry.Cutoffs} is the one predicate that decides
 * this, for reads, writes, counts, the sweep and the compaction filter alike. The entry point is
 * {@link dev.mayfly.expiry.Schedule}.
 *
 * <p>May use {@code dev.mayfly.value}. Everything here is immutable and safe to share, except
 * {@link dev.mayfly.expiry.ManualClock}, which is thread-safe.
 */
@NullMarked
package dev.mayfly.expiry;

import org.jspecify.annotations.NullMarked;

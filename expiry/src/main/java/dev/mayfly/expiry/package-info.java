/**
 * TTL semantics as pure functions, without I/O, threads or clock reads.
 *
 * <p>A document has a {@linkplain dev.mayfly.expiry.Header#place place} in one or more {@link
 * dev.mayfly.expiry.Lane lanes}. At any instant a lane has a cutoff; a document whose place is at
 * or below a cutoff is expired. {@link dev.mayfly.expiry.Cutoffs} is the one predicate that decides
 * this, for reads, writes, counts, the sweep and the compaction filter alike. The entry point is
 * {@link dev.mayfly.expiry.Schedule}.
 *
 * <p>May use {@code dev.mayfly.value}. Types are immutable, except {@link
 * dev.mayfly.expiry.ManualClock}, which is safe for many threads, and {@link
 * dev.mayfly.expiry.HeaderFields}.
 */
@NullMarked
package dev.mayfly.expiry;

import org.jspecify.annotations.NullMarked;

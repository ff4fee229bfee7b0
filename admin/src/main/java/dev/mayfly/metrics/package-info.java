/**
 * Figures for who watches a server, in the form of Prometheus.
 *
 * <p>Enter through {@link dev.mayfly.metrics.Metrics}. May use the engine and what lies below, and
 * Micrometer. Safe for many threads.
 */
@NullMarked
package dev.mayfly.metrics;

import org.jspecify.annotations.NullMarked;

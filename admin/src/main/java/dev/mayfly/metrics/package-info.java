/**
 * Metrics of a server in the text format of Prometheus.
 *
 * <p>Entry point: {@link dev.mayfly.metrics.Metrics}. May use the engine API, the store contract
 * and Micrometer. Safe for many threads.
 */
@NullMarked
package dev.mayfly.metrics;

import org.jspecify.annotations.NullMarked;

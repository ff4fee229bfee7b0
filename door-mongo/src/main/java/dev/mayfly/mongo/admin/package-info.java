/**
 * Administration commands: status, parameters, log, profiler, write locks, shutdown. One file per
 * command.
 *
 * <p>{@link dev.mayfly.mongo.admin.Monitoring} holds the counters of a server, {@link
 * dev.mayfly.mongo.admin.EngineMonitoring} those of an engine. Thread-safe.
 */
@NullMarked
package dev.mayfly.mongo.admin;

import org.jspecify.annotations.NullMarked;

/**
 * Pipeline stages that return data about the server instead of documents, one file each.
 *
 * <p>Start at {@link dev.mayfly.mongo.source.ServerSources}, which lists them. Thread-safe, shared
 * by all connections.
 */
@NullMarked
package dev.mayfly.mongo.source;

import org.jspecify.annotations.NullMarked;

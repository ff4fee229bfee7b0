/**
 * Logical sessions: what a client calls by an id over many requests and connections.
 *
 * <p>Start at {@link dev.mayfly.mongo.session.Sessions}. A session comes into being with the first
 * request that names it and ends when its client says so or has been silent for half an hour. One
 * file per command. Safe for many threads.
 */
@NullMarked
package dev.mayfly.mongo.session;

import org.jspecify.annotations.NullMarked;

/**
 * Definitions of collections and containers in the form of their protocols, and the seed of an
 * empty server.
 *
 * <p>Entry points: {@link dev.mayfly.admin.seed.Definitions}, {@link dev.mayfly.admin.seed.Seed}.
 * Uses the doors in process, so that their checks apply; used by the server and the command line.
 */
@NullMarked
package dev.mayfly.admin.seed;

import org.jspecify.annotations.NullMarked;

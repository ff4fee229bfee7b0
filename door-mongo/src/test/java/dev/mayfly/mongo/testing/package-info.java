/** Test fixtures of the MongoDB door: hand-made messages and a client for them. */
@NullMarked
package dev.mayfly.mongo.testing;

import org.jspecify.annotations.NullMarked;

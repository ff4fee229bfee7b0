/** What tests of the door share: a door on an engine in memory, and a client that signs. */
@NullMarked
package dev.mayfly.cosmos.testing;

import org.jspecify.annotations.NullMarked;

/** What tests of the MongoDB door share: messages put together by hand and a client for them. */
@NullMarked
package dev.mayfly.mongo.testing;

import org.jspecify.annotations.NullMarked;

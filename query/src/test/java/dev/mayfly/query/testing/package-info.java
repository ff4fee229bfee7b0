/** Random documents and filters, and short ways to write them, for the tests of all modules. */
@NullMarked
package dev.mayfly.query.testing;

import org.jspecify.annotations.NullMarked;

/** Room for testkit. */
@NullMarked
package dev.mayfly.testkit;

import org.jspecify.annotations.NullMarked;

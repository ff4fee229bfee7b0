/** Room for bench. */
@NullMarked
package dev.mayfly.bench;

import org.jspecify.annotations.NullMarked;

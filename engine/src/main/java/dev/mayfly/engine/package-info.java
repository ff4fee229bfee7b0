/** Room for engine. */
@NullMarked
package dev.mayfly.engine;

import org.jspecify.annotations.NullMarked;

/** Room for store. */
@NullMarked
package dev.mayfly.store;

import org.jspecify.annotations.NullMarked;

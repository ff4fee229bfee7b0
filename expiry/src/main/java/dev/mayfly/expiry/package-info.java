/** Room for expiry. */
@NullMarked
package dev.mayfly.expiry;

import org.jspecify.annotations.NullMarked;

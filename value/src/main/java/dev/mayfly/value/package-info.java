/** Documents as BSON bytes. */
@NullMarked
package dev.mayfly.value;

import org.jspecify.annotations.NullMarked;

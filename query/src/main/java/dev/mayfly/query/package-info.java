/** Room for query. */
@NullMarked
package dev.mayfly.query;

import org.jspecify.annotations.NullMarked;

/** Documents of the command {@code demo}, and the picture of them. For one thread. */
@NullMarked
package dev.mayfly.cli.demo;

import org.jspecify.annotations.NullMarked;

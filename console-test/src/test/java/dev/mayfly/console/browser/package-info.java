/** Tests of the console in Chromium, against a real server in memory on a clock moved by hand. */
@NullMarked
package dev.mayfly.console.browser;

import org.jspecify.annotations.NullMarked;

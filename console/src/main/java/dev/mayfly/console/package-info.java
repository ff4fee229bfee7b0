/**
 * Web console: its files ({@link dev.mayfly.console.Assets}), logins ({@link
 * dev.mayfly.console.Logins}) and the check of where requests come from ({@link
 * dev.mayfly.console.Origin}).
 */
@NullMarked
package dev.mayfly.console;

import org.jspecify.annotations.NullMarked;

/**
 * Settings of a server on Cassandra. Programs that embed a server without the module {@code
 * store-cassandra} never load these classes.
 */
@NullMarked
package dev.mayfly.cli.cassandra;

import org.jspecify.annotations.NullMarked;

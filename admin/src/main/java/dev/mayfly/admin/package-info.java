/**
 * What an operator may ask of a server beside its protocols: JSON over HTTP under {@code
 * /_mayfly/}, at the port of the Cosmos door.
 *
 * <p>Enter through {@link dev.mayfly.admin.AdminApi}, the table of what there is, which also
 * answers commands on a directory that no server has open; {@link dev.mayfly.admin.AdminHandler}
 * puts it in front of a door. May use the engine, both doors and what lies below. Everything here
 * is safe for many threads.
 */
@NullMarked
package dev.mayfly.admin;

import org.jspecify.annotations.NullMarked;

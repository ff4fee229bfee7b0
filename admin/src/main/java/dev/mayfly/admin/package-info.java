/**
 * Admin API: JSON over HTTP under {@code /_mayfly/}, on the port of the Cosmos door or on a
 * separate port.
 *
 * <p>Entry points: {@link dev.mayfly.admin.AdminApi}, the routing table, which also serves commands
 * on a data directory without a server; {@link dev.mayfly.admin.AdminHandler} serves it over HTTP.
 * May use the engine API and both doors. All types are safe for many threads.
 */
@NullMarked
package dev.mayfly.admin;

import org.jspecify.annotations.NullMarked;

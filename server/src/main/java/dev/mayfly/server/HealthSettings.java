package dev.mayfly.server;

import dev.mayfly.http.HttpSettings;

/**
 * Port for health checks.
 *
 * @param required whether the server fails to open if the port is not available; otherwise it logs
 *     a warning
 */
public record HealthSettings(HttpSettings http, boolean required) {}

package dev.mayfly.server;

import dev.mayfly.expiry.Clock;
import dev.mayfly.http.HttpSettings;

/**
 * Separate port for the admin API.
 *
 * @param key key that authorizes requests, in base64
 * @param wall clock for checking signatures
 */
public record AdminSettings(HttpSettings http, String key, Clock wall) {}

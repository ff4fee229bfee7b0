package dev.mayfly.server;

import dev.mayfly.expiry.Clock;
import dev.mayfly.http.HttpSettings;

/**
 * A port for the operator's requests alone, beside that of the Cosmos door or in place of it.
 *
 * @param key what requests are signed with or show, where they have to; in base64
 * @param wall the time that signatures go by
 */
public record AdminSettings(HttpSettings http, String key, Clock wall) {}

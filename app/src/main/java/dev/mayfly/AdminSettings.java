package dev.mayfly;

import dev.mayfly.cosmos.http.HttpSettings;
import dev.mayfly.expiry.Clock;

/**
 * A port for the operator's requests alone, beside that of the Cosmos door or in place of it.
 *
 * @param key what requests are signed with or show, where they have to; in base64
 * @param wall the time that signatures go by
 */
public record AdminSettings(HttpSettings http, String key, Clock wall) {}

package dev.mayfly.cluster;

import dev.mayfly.value.Document;

/**
 * Request or reply between two servers.
 *
 * @param header what both sides have agreed on for the kind of the request
 * @param payload bytes of the client, or for it; nobody changes them
 */
@SuppressWarnings("ArrayRecordComponent") // nobody changes or compares it
public record RelayMessage(Document header, byte[] payload) {}

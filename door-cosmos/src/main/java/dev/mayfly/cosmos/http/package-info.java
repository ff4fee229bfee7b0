/**
 * An HTTP/1.1 server: bytes become a {@link dev.mayfly.cosmos.http.Request}, a {@link
 * dev.mayfly.cosmos.http.Reply} becomes bytes. Knows nothing of what is asked.
 *
 * <p>The only package that uses Netty. Requests and replies belong to one thread at a time.
 */
@NullMarked
package dev.mayfly.cosmos.http;

import org.jspecify.annotations.NullMarked;

/**
 * An HTTP/1.1 server: bytes become a {@link dev.mayfly.http.Request}, a {@link
 * dev.mayfly.http.Reply} becomes bytes. Knows nothing of what is asked.
 *
 * <p>The only package that uses Netty. Requests and replies belong to one thread at a time.
 */
@NullMarked
package dev.mayfly.http;

import org.jspecify.annotations.NullMarked;

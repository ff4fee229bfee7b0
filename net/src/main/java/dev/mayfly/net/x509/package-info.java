/**
 * X.509 certificates that servers issue themselves.
 *
 * <p>{@link dev.mayfly.net.x509.CertificateSigner} makes keys and signs certificates, which {@link
 * dev.mayfly.net.x509.Der} encodes. Depends on the JDK alone. Everything is safe for many threads.
 */
@NullMarked
package dev.mayfly.net.x509;

import org.jspecify.annotations.NullMarked;

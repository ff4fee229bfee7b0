/**
 * TLS certificates of a server: a certificate authority of its own, certificates from PEM and
 * PKCS12 files, and their renewal while the server runs.
 *
 * <p>Entry points: {@link dev.mayfly.http.tls.CertificateAuthority}, {@link
 * dev.mayfly.http.tls.TlsCertificate}. The JDK has no API that creates certificates, so this
 * package encodes them. Uses only the JDK; safe for many threads.
 */
@NullMarked
package dev.mayfly.http.tls;

import org.jspecify.annotations.NullMarked;

package dev.mayfly.cluster;

import dev.mayfly.net.x509.CertificateSigner;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS between servers: each one makes a key and a certificate at its start and publishes the
 * fingerprint in its row of members. A server trusts exactly the certificates of those rows, so who
 * may write to the keyspace may join. Safe for many threads.
 */
final class PeerTls {
  private static final char[] PASSWORD = "mayfly".toCharArray();

  private final SSLContext context;
  private final byte[] fingerprint;

  /**
   * @param now for the dates in the certificate, which nobody checks
   * @param known returns whether a live member has this fingerprint
   */
  PeerTls(String name, long now, Predicate<byte[]> known) {
    try {
      KeyPair pair = CertificateSigner.newKeys();
      X509Certificate certificate =
          CertificateSigner.selfSigned(pair, name, Instant.ofEpochMilli(now));
      this.fingerprint = fingerprint(certificate);
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, PASSWORD);
      keys.setKeyEntry("mayfly", pair.getPrivate(), PASSWORD, new Certificate[] {certificate});
      KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
      factory.init(keys, PASSWORD);
      this.context = SSLContext.getInstance("TLSv1.3");
      context.init(
          factory.getKeyManagers(),
          new TrustManager[] {new KnownFingerprints(known)},
          new SecureRandom());
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  byte[] fingerprint() {
    return fingerprint;
  }

  /** Wraps a connected socket. The handshake is still to be done. */
  SSLSocket wrap(Socket socket, boolean asClient) throws IOException {
    SSLSocket wrapped =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(socket, socket.getInetAddress().getHostAddress(), 0, true);
    wrapped.setUseClientMode(asClient);
    wrapped.setEnabledProtocols(new String[] {"TLSv1.3"});
    if (!asClient) {
      wrapped.setNeedClientAuth(true);
    }
    return wrapped;
  }

  /** Returns the fingerprint of the peer; does the handshake first. */
  static byte[] peerOf(SSLSocket socket) throws IOException {
    socket.startHandshake();
    try {
      return fingerprint((X509Certificate) socket.getSession().getPeerCertificates()[0]);
    } catch (GeneralSecurityException malformed) {
      throw new SSLException("the certificate of the peer is malformed", malformed);
    }
  }

  private static byte[] fingerprint(X509Certificate certificate) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
  }

  /** Accepts certificates by their fingerprints; names and dates do not matter. */
  private static final class KnownFingerprints extends X509ExtendedTrustManager {
    private final Predicate<byte[]> known;

    KnownFingerprints(Predicate<byte[]> known) {
      this.known = known;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      try {
        if (!known.test(fingerprint(chain[0]))) {
          throw new CertificateException("no member of the cluster has this certificate");
        }
      } catch (CertificateException refused) {
        throw refused;
      } catch (GeneralSecurityException impossible) {
        throw new CertificateException(impossible);
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

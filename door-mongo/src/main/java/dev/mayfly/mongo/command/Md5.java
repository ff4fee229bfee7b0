package dev.mayfly.mongo.command;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** MD5 digest in hexadecimal digits. For one thread. */
public final class Md5 {
  private final MessageDigest digest;

  public Md5() {
    try {
      digest = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public void add(byte[] bytes, int offset, int length) {
    digest.update(bytes, offset, length);
  }

  public void add(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The digest of everything added; resets it. */
  public String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}

package dev.mayfly.bench;

import dev.mayfly.cosmos.auth.MasterKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests with the emulator's key. Uses the date of its creation, which servers accept for
 * some minutes. For one thread at a time.
 */
final class Signer {
  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;
  private final String date =
      DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));

  Signer() {
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(MasterKey.WELL_KNOWN), ALGORITHM));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  String date() {
    return date;
  }

  /** Value of the {@code authorization} header. */
  String sign(String method, String type, String link) {
    String text =
        String.join(
            "\n",
            method.toLowerCase(Locale.ROOT),
            type,
            link,
            date.toLowerCase(Locale.ROOT),
            "",
            "");
    byte[] signed = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    return URLEncoder.encode(
        "type=master&ver=1.0&sig=" + Base64.getEncoder().encodeToString(signed),
        StandardCharsets.UTF_8);
  }
}

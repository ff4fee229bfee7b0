package dev.mayfly.server;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests with a master key, as Cosmos DB clients do. */
public final class Signature {
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private Signature() {}

  /** Headers of a request at an instant: names and values alternate. */
  public static String[] of(String key, long now, String method, String type, String link) {
    String date = HTTP_DATE.format(Instant.ofEpochMilli(now));
    String signed = String.join("\n", lower(method), lower(type), link, lower(date), "", "");
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      byte[] sum = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
      String token = "type=master&ver=1.0&sig=" + Base64.getEncoder().encodeToString(sum);
      return new String[] {
        "x-ms-date",
        date,
        "x-ms-version",
        "2018-12-31",
        "authorization",
        URLEncoder.encode(token, StandardCharsets.UTF_8)
      };
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}

package dev.mayfly.engine.deliver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.OnExpire.Target;
import dev.mayfly.engine.shard.ArchiveQueue.Image;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Delivery by HTTP: one POST per batch, as NDJSON with one line per document. A batch is delivered
 * when the reply is 2xx; anything else is a failure, and redirects are not followed.
 *
 * <p>{@code Mayfly-Batch} identifies the batch, and {@code id} in each line the expiry of a
 * document, for receivers that must not process anything twice. If there is a secret, {@code
 * Mayfly-Signature} is {@code t=MILLIS,v1=HEX}: the HMAC-SHA256 of the time, a point, the batch, a
 * point and the body.
 */
final class HttpDelivery implements Delivery {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final String ALGORITHM = "HmacSHA256";
  private static final int MAX_RETRY_AFTER_SECONDS = 600;

  private final Source source;
  private final Target.Post target;
  private final String secret;
  private final HttpClient client;

  HttpDelivery(Source source, Target.Post target, ArchiveSettings settings) {
    if (!settings.allows(target)) {
      throw new DeliveryException(
          "documents may not be sent to " + target.authority() + ": the operator must allow it");
    }
    this.source = source;
    this.target = target;
    this.secret = settings.secret();
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public void deliver(int shard, List<Image> images, long now) {
    String batch =
        source.uuid()
            + "/"
            + shard
            + "/"
            + images.getFirst().position()
            + "-"
            + images.getLast().position();
    byte[] body = body(shard, images);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target.address())
            .timeout(TIMEOUT)
            .header("Content-Type", "application/x-ndjson")
            .header("Mayfly-Collection", headerText(source.name()))
            .header("Mayfly-Batch", batch)
            .header("Mayfly-Documents", Integer.toString(images.size()))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (!secret.isEmpty()) {
      request.header("Mayfly-Signature", signature(now, batch, body));
    }
    check(send(request.build()));
  }

  /** Header values are ASCII; names of collections need not be. */
  private static String headerText(String name) {
    return name.chars().allMatch(c -> c > ' ' && c < 127) ? name : URLEncoder.encode(name, UTF_8);
  }

  private byte[] body(int shard, List<Image> images) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (Image image : images) {
      DocumentWriter line =
          Document.writer()
              .put("id", source.uuid() + "/" + shard + "/" + image.position())
              .put("collection", source.name())
              .put("expiredAt", Value.date(image.deadline()));
      if (image.evicted()) {
        line.put("evicted", true);
      }
      lines.writeBytes(Source.line(line.put("document", image.document()).build()).getBytes(UTF_8));
      lines.write('\n');
    }
    return lines.toByteArray();
  }

  private String signature(long now, String batch, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM));
      mac.update((now + "." + batch + ".").getBytes(UTF_8));
      return "t=" + now + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  private HttpResponse<Void> send(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.discarding());
    } catch (IOException failure) {
      throw new DeliveryException(target.authority() + " cannot be reached", failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new DeliveryException("interrupted", stopped);
    }
  }

  private void check(HttpResponse<Void> reply) {
    int status = reply.statusCode();
    if (status < 200 || status > 299) {
      throw new DeliveryException(
          target.authority() + " replied with status " + status, retryAfterNanos(reply));
    }
  }

  private static long retryAfterNanos(HttpResponse<Void> reply) {
    try {
      long seconds = reply.headers().firstValue("Retry-After").map(Long::parseLong).orElse(0L);
      return TimeUnit.SECONDS.toNanos(Math.clamp(seconds, 0, MAX_RETRY_AFTER_SECONDS));
    } catch (NumberFormatException date) {
      return 0;
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}

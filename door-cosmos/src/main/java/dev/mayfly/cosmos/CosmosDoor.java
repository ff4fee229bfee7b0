package dev.mayfly.cosmos;

import dev.mayfly.cosmos.attachment.AttachmentStore;
import dev.mayfly.cosmos.attachment.AttachmentSweeper;
import dev.mayfly.cosmos.auth.Guard;
import dev.mayfly.cosmos.auth.LocalRequests;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.auth.ResourceTokens;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.engine.Engine;
import dev.mayfly.http.Handler;
import dev.mayfly.http.HttpServer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A server that Azure Cosmos DB SDKs connect to. Closing it leaves the engine open. */
public final class CosmosDoor implements AutoCloseable {
  private final CosmosSettings settings;
  private final HttpServer server;
  private final AttachmentSweeper attachmentSweeper;

  private CosmosDoor(
      CosmosSettings settings, HttpServer server, AttachmentSweeper attachmentSweeper) {
    this.settings = settings;
    this.server = server;
    this.attachmentSweeper = attachmentSweeper;
  }

  /**
   * Opens the door: clients can connect when this returns.
   *
   * @throws IllegalArgumentException when the key is none, or is short or known to everybody and
   *     the door open to other machines
   * @throws java.io.UncheckedIOException when the address cannot be had
   */
  public static CosmosDoor open(Engine engine, CosmosSettings settings) {
    return open(engine, settings, UnaryOperator.identity());
  }

  /** As {@link #open(Engine, CosmosSettings)}, with something before it that may answer first. */
  public static CosmosDoor open(
      Engine engine, CosmosSettings settings, UnaryOperator<Handler> front) {
    MasterKey key = new MasterKey(settings.key());
    checkKey(settings, key);
    Containers containers = new Containers(engine, new Metadata(engine));
    ResourceTokens tokens = new ResourceTokens(key, containers);
    AttachmentStore attachments = new AttachmentStore(containers, settings.durability());
    Routes routes = Routes.of(containers, attachments, tokens, settings);
    Optional<LocalRequests> only =
        settings.key().equals(MasterKey.WELL_KNOWN)
            ? Optional.of(new LocalRequests(settings.advertised()))
            : Optional.empty();
    Guard guard = new Guard(key, tokens, settings.wall(), only);
    Dispatcher dispatcher = new Dispatcher(engine, guard, containers, routes);
    HttpServer server = HttpServer.open(settings.http(), front.apply(dispatcher));
    return new CosmosDoor(settings, server, AttachmentSweeper.start(attachments));
  }

  private static void checkKey(CosmosSettings settings, MasterKey key) {
    if (loopback(settings.http().host())) {
      return;
    }
    if (key.bytes() < MasterKey.LEAST_BYTES) {
      throw new IllegalArgumentException(
          "a key of " + key.bytes() + " bytes can be guessed from other machines: it needs 32");
    }
    if (settings.key().equals(MasterKey.WELL_KNOWN)) {
      throw new IllegalArgumentException(
          "the well-known key of the emulator does not protect a server that other machines can"
              + " reach at "
              + settings.http().host()
              + ": choose a key of your own (64 random bytes in base64) with --cosmos-key, or bind"
              + " to 127.0.0.1");
    }
  }

  private static boolean loopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  /** How many connections are open. */
  public int connections() {
    return server.connections();
  }

  public int port() {
    return server.port();
  }

  /** What clients on this machine are to be told, with TLS where there is a certificate. */
  public String endpoint() {
    String scheme = settings.http().tls().isPresent() ? "https" : "http";
    return scheme + "://" + server.host() + ":" + port() + "/";
  }

  /** Lets requests in progress finish. */
  @Override
  public void close() {
    attachmentSweeper.close();
    server.close();
  }
}

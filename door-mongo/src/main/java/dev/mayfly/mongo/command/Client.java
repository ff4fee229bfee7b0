package dev.mayfly.mongo.command;

import dev.mayfly.net.ByteBudget;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a connection, as far as commands want to know. Shared by the thread of
 * the connection and by those who list connections.
 */
public final class Client {
  private final long connection;
  private final String remote;
  private final String local;
  private volatile Document metadata = Document.EMPTY;
  private volatile Optional<Identity> identity = Optional.empty();
  private volatile Optional<SaslExchange> conversation = Optional.empty();
  private volatile @Nullable RunningOperation runningOperation;
  private volatile ByteBudget.Claim replyMemory = ByteBudget.unlimited().claim(() -> {});
  private volatile BooleanSupplier gone = () -> false;

  /**
   * A client that has said nothing yet.
   *
   * @param connection a number no other connection of this server has
   * @param remote host and port it speaks from
   * @param local host and port it reached
   */
  public Client(long connection, String remote, String local) {
    this.connection = connection;
    this.remote = remote;
    this.local = local;
  }

  public long connection() {
    return connection;
  }

  public String remote() {
    return remote;
  }

  public String local() {
    return local;
  }

  /** What the driver said of itself in its first hello. */
  public Document metadata() {
    return metadata;
  }

  public void metadata(Document told) {
    metadata = told;
  }

  /** Whether it runs on this machine. */
  public boolean loopback() {
    return remote.startsWith("127.") || remote.startsWith("[0:0:0:0:0:0:0:1]");
  }

  /** Who it has proved to be. */
  public Optional<Identity> identity() {
    return identity;
  }

  public void identity(Optional<Identity> proved) {
    identity = proved;
  }

  /** The login that is in progress. */
  public Optional<SaslExchange> conversation() {
    return conversation;
  }

  public void conversation(Optional<SaslExchange> login) {
    conversation = login;
  }

  /** What the reply that is being built may use, for the thread that builds it. */
  public ByteBudget.Claim replyMemory() {
    return replyMemory;
  }

  public void replyMemory(ByteBudget.Claim claim) {
    replyMemory = claim;
  }

  /** Whether it has closed the connection; for the thread that answers a request of it. */
  public boolean isGone() {
    return gone.getAsBoolean();
  }

  /** Says how to find out whether it has closed the connection. */
  public void watchedBy(BooleanSupplier watch) {
    gone = watch;
  }

  /** The request of this client that is being answered. */
  public Optional<RunningOperation> running() {
    return Optional.ofNullable(runningOperation);
  }

  /** Says which request is being answered now; null for none. */
  public void running(@Nullable RunningOperation request) {
    runningOperation = request;
  }

  /** What the program calls itself; empty when it does not say. */
  public String application() {
    return application(metadata);
  }

  /** What a program calls itself in what it says of itself. */
  public static String application(Document metadata) {
    Value name = metadata.field("application");
    Value said = name.isDocument() ? name.asDocument().field("name") : Value.MISSING;
    return said.type() == Type.STRING ? said.asString() : "";
  }
}

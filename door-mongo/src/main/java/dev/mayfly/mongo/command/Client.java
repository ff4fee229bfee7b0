package dev.mayfly.mongo.command;

import dev.mayfly.engine.Explanation;
import dev.mayfly.net.ByteBudget;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Client of a connection: its addresses, metadata, login and running request. Shared by the thread
 * of the connection and by commands that list connections.
 */
public final class Client {
  /** How its privileges are checked. */
  public enum Privileges {
    /** By its address: whether it has to log in depends on the settings. */
    BY_ADDRESS,
    /** By the roles of its user, whatever its address. */
    OF_USER,
    /** It may do everything: the server has authorized it by other means. */
    ALL
  }

  private final long connection;
  private final Privileges privileges;
  private final String remote;
  private final String local;
  private volatile Document metadata = Document.EMPTY;
  private volatile Optional<Identity> identity = Optional.empty();
  private volatile Optional<SaslExchange> conversation = Optional.empty();
  private volatile @Nullable RunningOperation runningOperation;
  private volatile @Nullable Explanation lastSearch;
  private volatile ByteBudget.Claim replyMemory = ByteBudget.unlimited().claim(() -> {});
  private volatile BooleanSupplier gone = () -> false;

  /**
   * A client that has just connected.
   *
   * @param connection a number that no other connection of this server has
   * @param remote host and port of the client
   * @param local host and port it connected to
   */
  public Client(long connection, String remote, String local) {
    this(connection, remote, local, Privileges.BY_ADDRESS);
  }

  /** A client whose privileges are checked in a certain way. */
  public Client(long connection, String remote, String local, Privileges privileges) {
    this.connection = connection;
    this.privileges = privileges;
    this.remote = remote;
    this.local = local;
  }

  public Privileges privileges() {
    return privileges;
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

  /** The metadata of the driver from its first hello. */
  public Document metadata() {
    return metadata;
  }

  public void metadata(Document sent) {
    metadata = sent;
  }

  /** Whether it runs on this machine. */
  public boolean loopback() {
    return remote.startsWith("127.") || remote.startsWith("[0:0:0:0:0:0:0:1]");
  }

  /** The user that is logged in. */
  public Optional<Identity> identity() {
    return identity;
  }

  public void identity(Optional<Identity> user) {
    identity = user;
  }

  /** The SASL exchange in progress. */
  public Optional<SaslExchange> conversation() {
    return conversation;
  }

  public void conversation(Optional<SaslExchange> exchange) {
    conversation = exchange;
  }

  /** Memory for the reply being built, for the thread that builds it. */
  public ByteBudget.Claim replyMemory() {
    return replyMemory;
  }

  public void replyMemory(ByteBudget.Claim claim) {
    replyMemory = claim;
  }

  /** Whether it has closed the connection; for the thread that runs its request. */
  public boolean isGone() {
    return gone.getAsBoolean();
  }

  /** Sets the check whether it has closed the connection. */
  public void disconnectCheck(BooleanSupplier check) {
    gone = check;
  }

  /** What the queries of its last request examined; for clients in this process. */
  public Optional<Explanation> lastSearch() {
    return Optional.ofNullable(lastSearch);
  }

  /** The request of this client that is running. */
  public Optional<RunningOperation> running() {
    return Optional.ofNullable(runningOperation);
  }

  /** Sets the running request; null for none. */
  public void running(@Nullable RunningOperation request) {
    RunningOperation ended = runningOperation;
    if (request == null && ended != null && privileges != Privileges.BY_ADDRESS) {
      lastSearch = ended.request().operation().search().orElse(null);
    }
    runningOperation = request;
  }

  /** The application name; empty if there is none. */
  public String application() {
    return application(metadata);
  }

  /** The application name in the metadata of a client. */
  public static String application(Document metadata) {
    Value application = metadata.field("application");
    Value name = application.isDocument() ? application.asDocument().field("name") : Value.MISSING;
    return name.type() == Type.STRING ? name.asString() : "";
  }
}

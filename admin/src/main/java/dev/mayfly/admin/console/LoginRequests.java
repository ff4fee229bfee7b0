package dev.mayfly.admin.console;

import dev.mayfly.Mayfly;
import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.console.Logins;
import dev.mayfly.console.Logins.Login;
import dev.mayfly.console.Throttle;
import dev.mayfly.http.Request;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Login and logout. On this machine, where programs need no key, a browser gets a login without
 * one; otherwise it sends the password of a user of the MongoDB door, or the key of the Cosmos
 * door.
 */
final class LoginRequests {
  private static final System.Logger LOG = System.getLogger(LoginRequests.class.getName());

  /** A label that ends with a colour, such as {@code production red}. */
  private static final Pattern COLOURED =
      Pattern.compile("(.*\\S)\\s+(red|orange|yellow|green|blue|purple|grey|gray)");

  private final LongSupplier clock;
  private final MongoDoor mongo;
  private final ConsoleSettings settings;
  private final AccountKey key;
  private final boolean open;
  private final boolean anywhere;
  private final boolean movable;
  private final BooleanSupplier cosmos;
  private final Throttle throttle;
  private final Logins<Caller> logins;

  /**
   * Creates the logins of a server.
   *
   * @param open whether programs on this machine need no key
   * @param anywhere whether that applies to programs on other machines, too
   * @param movable whether the clock is a test clock
   * @param cosmos whether the server has a Cosmos door
   * @param wall epoch milliseconds, not of a test clock
   */
  LoginRequests(
      LongSupplier clock,
      MongoDoor mongo,
      ConsoleSettings settings,
      AccountKey key,
      boolean open,
      boolean anywhere,
      boolean movable,
      BooleanSupplier cosmos,
      LongSupplier wall) {
    this.clock = clock;
    this.mongo = mongo;
    this.settings = settings;
    this.key = key;
    this.open = open;
    this.anywhere = anywhere;
    this.movable = movable;
    this.cosmos = cosmos;
    this.throttle = new Throttle(wall);
    this.logins = new Logins<>(wall, this::isValid, Caller::close);
  }

  private boolean isValid(Caller caller) {
    return caller
        .user()
        .map(user -> mongo.users().incarnation(user).equals(Optional.of(caller.incarnation())))
        .orElse(true);
  }

  /** Returns the login of a request; empty if it has none, or one that has ended. */
  Optional<Login<Caller>> find(Request request) {
    return logins.find(request);
  }

  /** Returns the refusal of a request without a login, and how to get one. */
  Refusal missing(Request request) {
    return Refusal.of(Refusal.NOT_LOGGED_IN, "LOGIN", "Log in first.")
        .with("login", mayOpen(request) ? "open" : "form");
  }

  private boolean mayOpen(Request request) {
    return open && (anywhere || request.peer().getAddress().isLoopbackAddress());
  }

  /** Logs in. The browser gets a new token, whatever it had before. */
  Logins.Opened<Caller> open(Request request, Document body) {
    if (body.isEmpty() && mayOpen(request)) {
      return logins.open(request, caller(Caller.Kind.OPEN, Optional.empty(), ""));
    }
    if (body.isEmpty()) {
      throw missing(request);
    }
    return logins.open(request, guarded(request, () -> verified(body)));
  }

  /** A check of a password or key; empty if it is wrong. */
  private interface Check {
    Optional<Caller> verify();
  }

  private Caller guarded(Request request, Check check) {
    InetAddress address = request.peer().getAddress();
    long wait = throttle.waitMillis(address);
    if (wait > 0) {
      throw Refusal.of(
              Refusal.TOO_MANY,
              "WAIT",
              "Too many wrong attempts: try again in " + (wait + 999) / 1000 + " s.")
          .with(Document.writer().put("retryAfterMillis", wait).build());
    }
    Optional<Caller> caller = check.verify();
    if (caller.isEmpty()) {
      throttle.failed(address);
      // without the name that was tried: it may be a password in the wrong field
      LOG.log(
          System.Logger.Level.WARNING,
          "failed login to the console from " + address.getHostAddress());
      throw Refusal.of(
          Refusal.NOT_LOGGED_IN, "WRONG", "The user name, the password or the key is wrong.");
    }
    throttle.succeeded(address);
    return caller.get();
  }

  private Optional<Caller> verified(Document body) {
    if (!body.field("key").isMissing()) {
      return key.matches(text(body, "key"))
          ? Optional.of(caller(Caller.Kind.KEY, Optional.empty(), ""))
          : Optional.empty();
    }
    String database = body.field("database").isMissing() ? "admin" : text(body, "database");
    Identity user = new Identity(database, text(body, "user"));
    if (!mongo.users().verify(user, text(body, "password"))) {
      return Optional.empty();
    }
    return mongo
        .users()
        .incarnation(user)
        .map(incarnation -> caller(Caller.Kind.USER, Optional.of(user), incarnation));
  }

  private static String text(Document body, String name) {
    Value value = body.field(name);
    if (value.type() != Type.STRING) {
      throw Refusal.wrong("'" + name + "' must be a string.");
    }
    return value.asString();
  }

  private Caller caller(Caller.Kind kind, Optional<Identity> user, String incarnation) {
    return new Caller(kind, user, incarnation, mongo.session(user, "console"));
  }

  /** Returns the key, after the user has sent its password or the key again. */
  Document reveal(Request request, Call call) {
    Caller caller = call.caller();
    if (key.text().isEmpty()) {
      throw Refusal.of(Refusal.MISSING, "This server has no key.");
    }
    if (caller.kind() == Caller.Kind.OPEN && !key.isWellKnown()) {
      throw Refusal.forbidden(
          "Log in with the key or as a user to see the key. The server keeps it in its data"
              + " directory.");
    }
    if (!key.isWellKnown()) {
      var _ = guarded(request, () -> Optional.of(caller).filter(_ -> proves(caller, call.body())));
    }
    return Document.writer().put("key", key.text()).build();
  }

  private boolean proves(Caller caller, Document body) {
    return caller.kind() == Caller.Kind.KEY
        ? key.matches(text(body, "key"))
        : mongo.users().verify(caller.user().orElseThrow(), text(body, "password"));
  }

  void close(Request request) {
    logins.close(request);
  }

  /** Ends all logins. */
  void closeAll() {
    logins.closeAll();
  }

  /** Describes a login to its pages. */
  Document describe(Request request, Login<Caller> login) {
    Caller caller = login.who();
    Matcher coloured = COLOURED.matcher(settings.label());
    boolean hasColour = coloured.matches();
    DocumentWriter reply =
        Document.writer()
            .put("csrf", login.csrf())
            .put("kind", caller.kind().name().toLowerCase(Locale.ROOT))
            .put("user", caller.user().map(Identity::user).orElse(""))
            .put("database", caller.user().map(Identity::database).orElse(""))
            .put("roles", roles(caller))
            .put("everything", caller.mayEverything())
            .put("access", settings.readOnly() ? "read" : "full")
            .put("label", hasColour ? coloured.group(1) : settings.label())
            .put("colour", hasColour ? coloured.group(2) : "")
            .put("now", Value.date(clock.getAsLong()))
            .put("version", Mayfly.VERSION)
            .put("secure", request.secure());
    return reply
        .startDocument("clock")
        .put("movable", movable)
        .end()
        .startDocument("doors")
        .put("mongo", true)
        .put("cosmos", cosmos.getAsBoolean())
        .end()
        .build();
  }

  private Value roles(Caller caller) {
    List<String> roles = caller.user().map(mongo.users()::roles).orElse(List.of());
    return Value.array(roles.stream().map(Value::of).toList());
  }
}

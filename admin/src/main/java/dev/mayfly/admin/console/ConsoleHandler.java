package dev.mayfly.admin.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.AdminHandler;
import dev.mayfly.console.Assets;
import dev.mayfly.console.ConsoleSettings.Reach;
import dev.mayfly.console.Logins;
import dev.mayfly.console.Logins.Login;
import dev.mayfly.console.Origin;
import dev.mayfly.console.SecurityHeaders;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.http.FilterHandler;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.util.Locale;
import java.util.Set;

/**
 * HTTP handler of the web console, in front of the admin API and a door: serves its files, and
 * answers requests of its pages. Requests without a login of the console go to the admin API, which
 * rejects those of web pages.
 */
public final class ConsoleHandler extends FilterHandler {
  private static final String CSRF = "x-mayfly-csrf";
  private static final String LOGIN = AdminApi.ROOT + "/login";
  private static final String LOGOUT = AdminApi.ROOT + "/logout";
  private static final String ME = AdminApi.ROOT + "/me";

  /** Requests that only pages of the console send. */
  private static final Set<String> OWN = Set.of(LOGIN, LOGOUT, ME);

  /** Where users of the Cosmos DB emulator look for its explorer. */
  private static final Set<String> EXPLORER = Set.of("/_explorer/", "/_explorer/index.html");

  /** As the admin API. */
  private static final Limits BODIES = new Limits(17 << 20, 200);

  private static final String NO_STORE = "no-store";

  private final AdminHandler adminHandler;
  private final Console console;
  private final Origin origin;
  private final Assets assets;

  public ConsoleHandler(AdminHandler adminHandler, Console console, Origin origin, Assets assets) {
    super(adminHandler);
    this.adminHandler = adminHandler;
    this.console = console;
    this.origin = origin;
    this.assets = assets;
  }

  @Override
  protected Reply handleMine(Request request) {
    if (isEntrance(request)) {
      return redirect(302, Assets.ROOT);
    }
    return request.path().startsWith(Assets.ROOT) ? page(request) : answer(request);
  }

  @Override
  protected boolean isMine(Request request) {
    return request.path().startsWith(Assets.ROOT) || isEntrance(request) || isOwnRequest(request);
  }

  /** Whether a request was sent by a page of the console. */
  private static boolean isOwnRequest(Request request) {
    return request.path().startsWith(AdminApi.ROOT + "/")
        && (OWN.contains(request.path())
            || request.header(CSRF) != null
            || Logins.hasCookie(request));
  }

  /** Whether a browser requests the start page, or a path where the console could be. */
  private boolean isEntrance(Request request) {
    String path = request.path();
    String accept = request.header("accept");
    return console.settings().reach() != Reach.OFF
        && request.method().equals("GET")
        && (EXPLORER.contains(path)
            || path.equals("/_console")
            || (path.equals("/")
                && accept != null
                && accept.contains("text/html")
                && request.header("authorization") == null));
  }

  private static boolean isHere(Request request) {
    return request.peer().getAddress().isLoopbackAddress();
  }

  /** Fails if the console does not serve the browser, or not under this name. */
  private void checkReach(Request request) {
    if (console.settings().reach() == Reach.OFF) {
      throw Refusal.of(
          Refusal.MISSING, "The console is off: start the server with --console local.");
    }
    if (!isHere(request) && console.settings().reach() == Reach.LOCAL) {
      throw Refusal.of(
          Refusal.FORBIDDEN,
          "The console serves browsers on this machine only: start the server with --console on.");
    }
    if (!origin.isOwnHost(request)) {
      throw Refusal.of(
          Refusal.FORBIDDEN,
          "The console is not served under this name: use localhost, or set --advertised-host.");
    }
  }

  private Reply page(Request request) {
    try {
      checkReach(request);
    } catch (Refusal refused) {
      String text = refused.getMessage() + "\n";
      return SecurityHeaders.add(
          new Reply(refused.status()).body(text.getBytes(UTF_8), "text/plain; charset=utf-8"),
          NO_STORE);
    }
    return !isHere(request) && !request.secure()
        ? redirect(308, "https://" + request.authority() + request.path())
        : assets.answer(request);
  }

  private static Reply redirect(int status, String location) {
    return SecurityHeaders.add(new Reply(status).header("location", location), NO_STORE);
  }

  private Reply answer(Request request) {
    try {
      checkReach(request);
      checkPage(request);
      return switch (request.method() + " " + request.path()) {
        case "POST " + LOGIN -> login(request);
        case "POST " + LOGOUT -> logout(request);
        case "GET " + ME -> json(200, console.describe(request, console.login(request)));
        default -> answerUser(request);
      };
    } catch (Refusal refused) {
      return json(refused.status(), refused.body());
    } catch (RuntimeException failure) {
      String what = "internal error in " + request.method() + " " + request.path();
      System.getLogger(ConsoleHandler.class.getName())
          .log(System.Logger.Level.ERROR, what, failure);
      return json(500, Document.writer().put("error", what).build());
    }
  }

  /** Fails if a request was not sent by a page of this server, or not over TLS from elsewhere. */
  private void checkPage(Request request) {
    if (!isHere(request) && !request.secure()) {
      throw Refusal.of(Refusal.FORBIDDEN, "Use https from another machine.");
    }
    boolean reads = request.method().equals("GET");
    // browsers send no origin with a GET to the same origin
    boolean own =
        (reads && request.header("origin") == null)
            ? origin.isSameOrigin(request)
            : origin.isOwnPage(request);
    if (!own) {
      throw Refusal.of(Refusal.FORBIDDEN, "Only pages of the console may send this request.");
    }
  }

  private Reply login(Request request) {
    Logins.Opened<Caller> opened = console.login(request, body(request));
    return json(200, console.describe(request, opened.login()))
        .header("set-cookie", opened.cookie());
  }

  private Reply logout(Request request) {
    checkToken(request, console.login(request));
    console.logout(request);
    return json(200, Document.EMPTY).header("set-cookie", Logins.removal(request));
  }

  private static void checkToken(Request request, Login<?> login) {
    if (!Logins.isToken(login, request.header(CSRF))) {
      throw Refusal.of(
          Refusal.FORBIDDEN,
          "TOKEN",
          "The header " + CSRF + " is missing or belongs to another login.");
    }
  }

  private Reply answerUser(Request request) {
    Login<Caller> login = console.login(request);
    checkToken(request, login);
    String path = request.path().substring(AdminApi.ROOT.length());
    String author = login.who().user().map(user -> "console: " + user).orElse("console");
    return ChangeAuthor.as(
        author,
        () ->
            console
                .answer(login.who(), request, path, body(request))
                .map(answer -> json(200, answer))
                .orElseGet(
                    () -> SecurityHeaders.add(adminHandler.answerAuthorized(request), NO_STORE)));
  }

  private static Document body(Request request) {
    if (request.body().length == 0) {
      return Document.EMPTY;
    }
    String type = request.header("content-type");
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
      throw Refusal.of(415, "The body must be application/json.");
    }
    try {
      return ExtendedJson.parse(request.body(), BODIES);
    } catch (ValueException invalid) {
      throw Refusal.wrong("The body is not valid JSON: " + invalid.getMessage());
    }
  }

  private static Reply json(int status, Document body) {
    byte[] bytes = ExtendedJson.relaxed(body).getBytes(UTF_8);
    return SecurityHeaders.add(new Reply(status).body(bytes), NO_STORE);
  }
}

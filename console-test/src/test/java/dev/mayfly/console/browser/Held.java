package dev.mayfly.console.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One request of a page, held back until the test lets it go. */
final class Held {
  private final Page page;
  private int seen;
  private @Nullable Route route;

  private Held(Page page) {
    this.page = page;
  }

  /** Holds back the n-th request that is wanted, counted from 1. */
  static Held nth(int n, Page page, Predicate<Request> wanted) {
    Held held = new Held(page);
    page.route(
        "**/_mayfly/**",
        route -> {
          if (wanted.test(route.request()) && ++held.seen == n) {
            held.route = route;
          } else {
            route.resume();
          }
        });
    return held;
  }

  /** Returns whether a request contains a text in its address or body. */
  static Predicate<Request> containing(String address, String body) {
    return request ->
        request.url().contains(address)
            && Objects.requireNonNullElse(request.postData(), "").contains(body);
  }

  void await() {
    page.waitForCondition(() -> route != null);
  }

  void letGo() {
    Objects.requireNonNull(route).resume();
  }
}

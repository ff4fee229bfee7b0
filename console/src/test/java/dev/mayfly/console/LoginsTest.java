package dev.mayfly.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.http.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LoginsTest {
  private static final Request STRANGER = Request.of("GET", "/", Map.of("host", "localhost:8081"));

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final Set<String> invalid = new HashSet<>();
  private final List<String> ended = new ArrayList<>();
  private final Logins<String> logins =
      new Logins<>(clock::get, who -> !invalid.contains(who), ended::add);

  private Request open(String who) {
    return with(logins.open(STRANGER, who).cookie());
  }

  private static Request with(String setCookie) {
    String pair = setCookie.substring(0, setCookie.indexOf(';'));
    return Request.of("GET", "/", Map.of("cookie", "other=1; " + pair, "host", "localhost:8081"));
  }

  private Optional<String> user(Request request) {
    return logins.find(request).map(Logins.Login::who);
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toMillis());
  }

  @Test
  void aBrowserIsFoundByItsCookieOnly() {
    Request ada = open("ada");
    Request bob = open("bob");
    assertThat(user(ada)).contains("ada");
    assertThat(user(bob)).contains("bob");
    assertThat(user(STRANGER)).isEmpty();
    assertThat(user(with("mayfly-8081=AAAAAAAAAAAAAAAAAAAAAA;"))).isEmpty();
  }

  @Test
  void scriptsAndOtherSitesDoNotGetTheCookie() {
    String cookie = logins.open(STRANGER, "ada").cookie();
    assertThat(cookie).matches("mayfly-8081=[\\w-]{22}; HttpOnly; SameSite=Strict; Path=/");
    assertThat(Logins.removal(STRANGER)).contains("mayfly-8081=;", "Max-Age=0");
  }

  @Test
  void cookieAndTokenAreRandomAndDifferent() {
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Logins.Opened<String> opened = logins.open(STRANGER, "ada");
      texts.add(opened.cookie());
      texts.add(opened.login().csrf());
    }
    assertThat(texts).hasSize(200);
  }

  @Test
  void aLoginEndsAfterHalfAnHourWithoutARequest() {
    Request ada = open("ada");
    pass(Duration.ofMinutes(29));
    assertThat(user(ada)).contains("ada");
    pass(Duration.ofMinutes(29));
    assertThat(user(ada)).contains("ada");
    pass(Duration.ofMinutes(30));
    assertThat(user(ada)).isEmpty();
    assertThat(ended).containsExactly("ada");
  }

  @Test
  void aLoginEndsAfterTwelveHoursHoweverBusy() {
    Request ada = open("ada");
    for (int i = 0; i < 47; i++) {
      pass(Duration.ofMinutes(15));
      assertThat(user(ada)).contains("ada");
    }
    pass(Duration.ofMinutes(15));
    assertThat(user(ada)).isEmpty();
  }

  @Test
  void aLoginEndsWithItsUser() {
    Request ada = open("ada");
    invalid.add("ada");
    assertThat(user(ada)).isEmpty();
    invalid.clear();
    assertThat(user(ada)).isEmpty();
  }

  @Test
  void logoutEndsTheLogin() {
    Request ada = open("ada");
    logins.close(ada);
    assertThat(user(ada)).isEmpty();
    assertThat(ended).containsExactly("ada");
  }

  @Test
  void aTokenThatAnAttackerHasPlantedIsNotUsed() {
    Request planted = open("attacker");
    Logins.Opened<String> victim = logins.open(planted, "victim");
    assertThat(user(planted)).isEmpty();
    assertThat(user(with(victim.cookie()))).contains("victim");
  }

  @Test
  void theLoginThatIsIdleLongestGivesWayToTheThousandAndFirst() {
    List<Request> browsers = new ArrayList<>();
    for (int i = 0; i < Logins.MAX; i++) {
      pass(Duration.ofMillis(1));
      browsers.add(open("user" + i));
    }
    pass(Duration.ofMillis(1));
    assertThat(user(browsers.getFirst())).contains("user0");
    Request last = open("last");
    assertThat(logins.size()).isEqualTo(Logins.MAX);
    assertThat(user(browsers.get(1))).isEmpty();
    assertThat(user(browsers.getFirst())).contains("user0");
    assertThat(user(last)).contains("last");
    assertThat(ended).containsExactly("user1");
  }

  @Test
  void tokensAreCompared() {
    Logins.Login<String> login = logins.open(STRANGER, "ada").login();
    assertThat(Logins.isToken(login, login.csrf())).isTrue();
    assertThat(Logins.isToken(login, login.csrf() + "x")).isFalse();
    assertThat(Logins.isToken(login, null)).isFalse();
  }
}

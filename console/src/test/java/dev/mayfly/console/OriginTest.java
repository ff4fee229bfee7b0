package dev.mayfly.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.http.Request;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OriginTest {
  private final Origin local = new Origin(Set.of("db.example.com:27017"), false);
  private final Origin all = new Origin(Set.of(""), true);

  private static Request request(Map<String, String> headers) {
    return Request.of("POST", "/", headers);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:8081,true,true",
    "LOCALHOST,true,true",
    "127.0.0.1:8081,true,true",
    "[::1]:8081,true,true",
    "db.example.com:8081,true,false",
    "evil.example:8081,false,false",
    "localhost.evil.example,false,false",
    "10.0.0.7:8081,false,true",
    "[fe80::1]:8081,false,true",
    "10.0.0.7.evil.example,false,false",
    "'',false,false"
  })
  void aHostMustNameThisServer(String host, boolean isLocal, boolean isAny) {
    assertThat(local.isOwnHost(request(Map.of("host", host)))).isEqualTo(isLocal);
    assertThat(all.isOwnHost(request(Map.of("host", host)))).isEqualTo(isAny);
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8081,same-origin,true",
    "http://localhost:8081,'',true",
    "http://localhost:3000,'',false",
    "https://localhost:8081,'',false",
    "http://localhost:8081,same-site,false",
    "http://localhost:8081,cross-site,false",
    "null,'',false",
    "'','',false"
  })
  void aPageMustHaveTheAddressOfTheRequest(String origin, String site, boolean own) {
    Map<String, String> headers = new TreeMap<>(Map.of("host", "localhost:8081"));
    if (!origin.isEmpty()) {
      headers.put("origin", origin);
    }
    if (!site.isEmpty()) {
      headers.put("sec-fetch-site", site);
    }
    assertThat(local.isOwnPage(request(headers))).isEqualTo(own);
  }
}

package dev.mayfly.cosmos.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where requests go. */
final class AddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/dbs/sales/colls/orders/docs/SO05",
        "//dbs/sales/colls/orders/docs/SO05",
        "dbs/sales/colls/orders/docs/SO05/",
      })
  void leadingAndTrailingSlashesAreIgnored(String path) {
    Address address = Address.of(path);
    assertThat(address.type()).isEqualTo(ResourceType.ITEM);
    assertThat(address.feed()).isFalse();
    assertThat(address.database()).isEqualTo("sales");
    assertThat(address.container()).isEqualTo("orders");
    assertThat(address.id()).isEqualTo("SO05");
    assertThat(address.link()).isEqualTo("dbs/sales/colls/orders/docs/SO05");
  }

  @Test
  void aPathThatEndsWithAResourceTypeIsAFeed() {
    Address address = Address.of("/dbs/sales/colls/orders/docs");
    assertThat(address.feed()).isTrue();
    assertThat(address.id()).isEqualTo("orders");
  }

  @Test
  void idsArePercentDecodedAndPlusIsLiteral() {
    assertThat(Address.of("/dbs/a%20b/colls/c+d/docs/%C3%A9").id()).isEqualTo("é");
    assertThat(Address.of("/dbs/a%20b/colls/c+d/docs/x").database()).isEqualTo("a b");
    assertThat(Address.of("/dbs/a%20b/colls/c+d/docs/x").container()).isEqualTo("c+d");
  }

  @Test
  void anUnknownResourceTypeFailsWith404() {
    assertThatThrownBy(() -> Address.of("/tables/a")).isInstanceOf(CosmosException.class);
  }
}

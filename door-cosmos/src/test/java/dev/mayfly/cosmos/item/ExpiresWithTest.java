package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that follow others: {@code mayfly.expiresWith} of a container. */
final class ExpiresWithTest {
  private static final String LINES = "/dbs/db/colls/lines/docs";
  private static final String ORDERS = "/dbs/db/colls/orders/docs";
  private static final String KEY = "'partitionKey':{'paths':['/pk'],'kind':'Hash'}";
  private static final String X = Shop.pk("x");
  private static final String Y = Shop.pk("y");

  private final Shop shop = Shop.inMemory();

  @AfterEach
  void close() {
    shop.close();
  }

  private static String lines(String with) {
    return "{'id':'lines'," + KEY + ",'mayfly':{'expiresWith':" + with + "}}";
  }

  private void containers(String deleted) {
    shop.container("{'id':'orders','defaultTtl':10," + KEY + "}");
    shop.container(lines("{'container':'orders','property':'/order','deleted':" + deleted + "}"));
  }

  private void line(String id, String partition, String order) {
    String item = "{'id':'" + id + "','pk':'" + partition + "','order':'" + order + "'}";
    assertThat(shop.send("POST", LINES, item, Shop.pk(partition)).status()).isEqualTo(201);
  }

  private int status(String id, String key) {
    return shop.get(LINES + "/" + id, key).status();
  }

  @Test
  void itemsExpireWithTheParentInTheirPartition() {
    containers("false");
    assertThat(shop.get("/dbs/db/colls/lines").text().replace('"', '\''))
        .contains(
            "'mayfly':{'expiresWith':"
                + "{'container':'orders','property':'/order','deleted':false}}");
    assertThat(shop.send("POST", ORDERS, "{'id':'o','pk':'x'}", X).status()).isEqualTo(201);
    line("1", "x", "o");
    line("2", "x", "other");
    line("3", "y", "o");
    shop.advance(9);
    assertThat(status("1", X)).isEqualTo(200);
    shop.advance(1);
    assertThat(status("1", X)).isEqualTo(404);
    assertThat(status("2", X)).isEqualTo(200);
    assertThat(status("3", Y)).isEqualTo(200);
    shop.engine().workUntilIdle();
    assertThat(shop.get(LINES).text()).doesNotContain("\"id\":\"1\"").contains("\"id\":\"3\"");
    line("1", "x", "o");
    assertThat(status("1", X)).isEqualTo(200);
  }

  @Test
  void itemsFollowTheDeleteOfTheirParent() {
    containers("true");
    assertThat(shop.send("POST", ORDERS, "{'id':'o','pk':'x'}", X).status()).isEqualTo(201);
    line("1", "x", "o");
    assertThat(shop.send("DELETE", ORDERS + "/o", "", X).status()).isEqualTo(204);
    assertThat(status("1", X)).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5",
        "{}",
        "{'container':'orders'}",
        "{'container':'none','property':'/order'}",
        "{'container':'orders','property':'/order','deleted':5}",
        "{'container':'orders','property':'/order','other':1}",
        "{'container':'lines','property':'/order'}"
      })
  void wrongParentsAreRejected(String with) {
    shop.container("{'id':'orders','defaultTtl':10," + KEY + "}");
    Answer refused = shop.send("POST", "/dbs/db/colls", lines(with));
    assertThat(refused.status()).as(refused.text()).isEqualTo(400);
  }
}

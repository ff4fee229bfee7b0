package dev.mayfly.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LoneClientTest {
  private final LoneClient loneClient = new LoneClient();

  @Test
  void aClientIsAloneAfterManyRequestsInARow() {
    assertThat(loneClient.isAlone()).isFalse();
    serve("a", 20);
    assertThat(loneClient.isAlone()).isFalse();
    serve("a", 20);
    assertThat(loneClient.isAlone()).isTrue();
  }

  @Test
  void anotherClientEndsThat() {
    serve("a", 100);
    serve("b", 1);
    assertThat(loneClient.isAlone()).isFalse();
    serve("a", 20);
    assertThat(loneClient.isAlone()).isFalse();
    serve("a", 20);
    assertThat(loneClient.isAlone()).isTrue();
  }

  private void serve(String client, int requests) {
    for (int i = 0; i < requests; i++) {
      loneClient.served(client);
    }
  }
}

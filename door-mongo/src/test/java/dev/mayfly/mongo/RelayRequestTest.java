package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cluster.PeerException;
import dev.mayfly.cluster.RelayMessage;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RelayRequestTest {
  private static final Message.Call PING =
      (Message.Call) Message.decode(Frames.msg(7, 0, "{\"ping\":1,\"$db\":\"admin\"}"));

  private static RelayRequest request(Optional<Identity> user) {
    return new RelayRequest(
        RelayRequest.Target.CELL,
        3,
        new RelayRequest.Sender(
            "10.0.0.9:50000", "10.0.0.1:27017", true, user, Shell.json("{'driver':{'name':'x'}}")),
        PING);
  }

  @Test
  void requestsAreReadAsTheyWereWritten() {
    RelayRequest named = request(Optional.of(new Identity("admin", "ann")));
    assertThat(RelayRequest.of(named.toMessage())).isEqualTo(named);
    RelayRequest nameless = request(Optional.empty());
    assertThat(RelayRequest.of(nameless.toMessage())).isEqualTo(nameless);
  }

  @Test
  void theClientHasTheRolesOfItsUserWhateverItsAddressIs() {
    Client client = request(Optional.of(new Identity("admin", "ann"))).client().toClient(5);
    assertThat(client.identity()).contains(new Identity("admin", "ann"));
    assertThat(client.privileges()).isEqualTo(Client.Privileges.OF_USER);
    assertThat(client.remote()).isEqualTo("10.0.0.9:50000");
  }

  @Test
  void aMalformedRequestFails() {
    RelayMessage good = request(Optional.empty()).toMessage();
    for (RelayMessage bad :
        new RelayMessage[] {
          new RelayMessage(Document.EMPTY, good.payload()),
          new RelayMessage(good.header(), new byte[16]),
          new RelayMessage(Shell.json("{'to':'MOON','number':3}"), good.payload())
        }) {
      assertThatThrownBy(() -> RelayRequest.of(bad))
          .isInstanceOfSatisfying(
              PeerException.class,
              failure -> assertThat(failure.reason()).isEqualTo(PeerException.Reason.FAILED));
    }
  }
}

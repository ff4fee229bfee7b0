package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.NotAtOnce;
import dev.mayfly.engine.Pledge;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests to a database that is profiled. */
final class ProfilerTest {
  private final Shell shell = new Shell();
  private final Client client = new Client(3, "127.0.0.1:50002", "127.0.0.1:27017");

  @AfterEach
  void close() {
    shell.close();
  }

  private boolean answeredAtOnce() {
    Document body = Shell.json("{'find':'c','filter':{'_id':1},'limit':1,'$db':'d'}");
    Message call = new Message.Call(1, Compressor.NOOP, false, false, body, Map.of());
    Dispatcher dispatcher = new Dispatcher(shell.parts());
    boolean done = dispatcher.answerAtOnce(client, call, new Pledge(), Document.writer());
    dispatcher.ended(client, done);
    return done;
  }

  @Test
  void theyMayWaitForWhatIsWrittenDownOfThem() {
    shell.insert("{'_id':1}");
    assertThat(answeredAtOnce()).isTrue();
    shell.run("{'profile':1,'slowms':1000}");
    assertThatThrownBy(() -> answeredAtOnce()).isInstanceOf(NotAtOnce.class);
    assertThat(client.running()).isEmpty();
    shell.run("{'profile':0}");
    assertThat(answeredAtOnce()).isTrue();
  }
}

package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.auth.Login;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerTest {
  private static final String SELECTION = "&serverSelectionTimeoutMS=10000";

  @Test
  void aDriverReachesAnInstanceInMemory() {
    MongoSettings settings = MongoSettings.standard(System::nanoTime).withAddress("127.0.0.1", 0);
    try (Server server = Server.open(Mayfly.inMemory(), settings)) {
      ping(server.mongo().connectionString());
    }
  }

  @Test
  void theProcessSaysWhereItListensAndEndsCleanlyWhenTold(@TempDir Path data)
      throws IOException, InterruptedException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Process process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.mayfly.Server",
                "--data",
                data.toString(),
                "--mongo-port",
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      String ready = out.readLine();
      assertThat(ready).startsWith("Mayfly is ready: mongodb://127.0.0.1:");
      ping(ready.substring(ready.indexOf("mongodb")));
      process.destroy();
      assertThat(process.waitFor()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    Mayfly.open(data).close();
  }

  private static void ping(String address) {
    try (MongoClient client = MongoClients.create(address + SELECTION)) {
      BsonDocument ping = BsonDocument.parse("{ping: 1}");
      assertThat(client.getDatabase("admin").runCommand(ping).get("ok")).isEqualTo(1.0);
    }
  }

  @Test
  void theCommandLineSaysWhatToOpen() {
    assertThat(Server.Options.parse(List.of("--in-memory")))
        .isEqualTo(new Server.Options("", "127.0.0.1", 27017, Login.FROM_AFAR, "", false));
    assertThat(
            Server.Options.parse(
                List.of(
                    "--data", "d", "--mongo-port", "0", "--bind", "0.0.0.0", "--auth", "always")))
        .isEqualTo(new Server.Options("d", "0.0.0.0", 0, Login.ALWAYS, "", false));
  }

  @Test
  void aCommandLineThatMakesNoSenseIsRefused() {
    for (List<String> wrong :
        List.of(
            List.<String>of(),
            List.of("--in-memory", "--data", "d"),
            List.of("--data"),
            List.of("--in-memory", "--auth", "sometimes"),
            List.of("--in-memory", "--mongo-port", "x"),
            List.of("--in-memory", "--mongo-port", "65536"),
            List.of("--what"))) {
      assertThatThrownBy(() -> Server.Options.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}

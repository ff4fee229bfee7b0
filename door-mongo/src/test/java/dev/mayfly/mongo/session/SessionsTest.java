package dev.mayfly.mongo.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SessionsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Sessions sessions = new Sessions(nanos::get);
  private final Client client = new Client(1, "127.0.0.1:1", "127.0.0.1:2");
  private final List<Session> ended = new ArrayList<>();

  @BeforeEach
  void listen() {
    sessions.onEnd(ended::add);
  }

  private static Document lsid(int number) {
    byte[] bytes = new byte[16];
    bytes[15] = (byte) number;
    return Document.writer().put("id", Value.binary((byte) 4, bytes)).build();
  }

  private Request request(String command, Value target, Document lsid) {
    Document body =
        Document.writer().put(command, target).put("lsid", lsid).put("$db", "admin").build();
    return new Request(client, Operation.unlimited(0), body, Map.of());
  }

  private Session use(int number) {
    return sessions.of(request("ping", Value.of(1), lsid(number))).orElseThrow();
  }

  private Request about(String command, int number) {
    Document body =
        Document.writer()
            .put(command, Value.array(List.of(Value.of(lsid(number)))))
            .put("$db", "admin")
            .build();
    return new Request(client, Operation.unlimited(0), body, Map.of());
  }

  @Test
  void requestsWithTheSameLsidShareASession() {
    assertThat(use(1)).isSameAs(use(1)).isNotSameAs(use(2));
    Document none = Document.writer().put("ping", 1).put("$db", "admin").build();
    assertThat(sessions.of(new Request(client, Operation.unlimited(0), none, Map.of()))).isEmpty();
  }

  @Test
  void usersWithTheSameLsidHaveDifferentSessions() {
    Session first = use(1);
    client.identity(Optional.of(new Identity("admin", "alice")));
    assertThat(use(1)).isNotSameAs(first);
  }

  @Test
  void lsidMustBeAUuid() {
    Document wrong = Document.writer().put("id", 1).build();
    assertThatThrownBy(() -> sessions.of(request("ping", Value.of(1), wrong)))
        .isInstanceOf(CommandException.class);
  }

  @Test
  void endSessionsClosesTheOpenTransaction() {
    List<String> closed = new ArrayList<>();
    Session session = use(1);
    session.hold(() -> closed.add("open"));
    new EndSessionsCommand(sessions).run(about("endSessions", 1), writer());
    assertThat(closed).containsExactly("open");
    assertThat(ended).containsExactly(session);
    session.hold(() -> closed.add("late"));
    assertThat(closed).containsExactly("open", "late");
    assertThat(use(1)).isNotSameAs(session);
  }

  @Test
  void releasedTransactionIsNotClosedWithTheSession() {
    List<String> closed = new ArrayList<>();
    Session session = use(1);
    session.hold(() -> closed.add("x"));
    assertThat(session.release()).isPresent();
    new KillSessionsCommand(sessions).run(about("killSessions", 1), writer());
    assertThat(closed).isEmpty();
  }

  @Test
  void idleSessionEndsAfterHalfAnHour() {
    Session idle = use(1);
    Session kept = use(2);
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(20));
    new RefreshSessionsCommand(sessions).run(about("refreshSessions", 2), writer());
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(20));
    sessions.expire();
    assertThat(ended).containsExactly(idle);
    assertThat(sessions.all()).containsExactly(kept);
  }

  @Test
  void killAllSessionsEndsAllSessions() {
    use(1);
    use(2);
    Document body =
        Document.writer()
            .put("killAllSessions", Value.array(List.of()))
            .put("$db", "admin")
            .build();
    new KillAllSessionsCommand(sessions)
        .run(new Request(client, Operation.unlimited(0), body, Map.of()), writer());
    assertThat(sessions.all()).isEmpty();
  }

  private void kill(Document... patterns) {
    Value all = Value.array(Stream.of(patterns).map(Value::of).toList());
    Document body =
        Document.writer().put("killAllSessionsByPattern", all).put("$db", "admin").build();
    new KillAllSessionsByPatternCommand(sessions)
        .run(new Request(client, Operation.unlimited(0), body, Map.of()), writer());
  }

  private static Value uid(String owner) throws Exception {
    byte[] name = owner.getBytes(StandardCharsets.UTF_8);
    return Value.binary((byte) 0, MessageDigest.getInstance("SHA-256").digest(name));
  }

  @Test
  void killAllSessionsByPatternMatchesLsidAndUid() throws Exception {
    Session first = use(1);
    Session second = use(2);
    client.identity(Optional.of(new Identity("d", "ann")));
    Session anns = use(2);
    kill(Document.writer().put("lsid", lsid(1)).build());
    assertThat(sessions.all()).containsExactlyInAnyOrder(second, anns).doesNotContain(first);
    kill(Document.writer().put("lsid", lsid(3)).build());
    kill(Document.writer().put("uid", uid("bob@d")).build());
    assertThat(sessions.all()).hasSize(2);
    kill(Document.writer().put("uid", uid("ann@d")).build());
    assertThat(sessions.all()).containsExactly(second);
    kill();
    assertThat(sessions.all()).isEmpty();
  }

  @Test
  void unsupportedSessionPatternsFail() {
    assertThatThrownBy(() -> kill(Document.writer().put("colour", 1).build()))
        .isInstanceOf(CommandException.class);
    assertThatThrownBy(() -> kill(Document.writer().put("users", 1).build()))
        .isInstanceOf(CommandException.class);
  }

  @Test
  void startSessionGeneratesTheId() {
    DocumentWriter reply = writer();
    new StartSessionCommand(sessions).run(request("startSession", Value.of(1), lsid(9)), reply);
    Document started = reply.build();
    assertThat(started.field("timeoutMinutes").asInt()).isEqualTo(30);
    assertThat(sessions.all())
        .extracting(Session::lsid)
        .containsExactly(started.field("id").asDocument());
  }

  private static DocumentWriter writer() {
    return Document.writer();
  }
}

package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.data.mongo.MongoIndexedSessionRepository;
import org.springframework.session.data.mongo.MongoSession;

/** Spring Session Data MongoDB: web sessions are stored, found by user, and expire. */
final class SpringSessionTest {
  @AutoClose private static final ServerProcess SERVER = ServerProcess.inMemory();
  @AutoClose private static final MongoClient CLIENT = SERVER.client();

  private final MongoTemplate template = new MongoTemplate(CLIENT, "spring");
  private final MongoIndexedSessionRepository sessions = repository(template);

  private static MongoIndexedSessionRepository repository(MongoTemplate template) {
    MongoIndexedSessionRepository sessions = new MongoIndexedSessionRepository(template);
    sessions.setApplicationEventPublisher(_ -> {});
    sessions.afterPropertiesSet();
    return sessions;
  }

  private MongoSession of(String user, Duration life) {
    MongoSession session = sessions.createSession();
    session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, user);
    session.setMaxInactiveInterval(life);
    // As the filter does on every request; this computes the expiry date.
    session.setLastAccessedTime(session.getCreationTime());
    sessions.save(session);
    return session;
  }

  private long stored() {
    return template
        .getCollection(MongoIndexedSessionRepository.DEFAULT_COLLECTION_NAME)
        .countDocuments();
  }

  @Test
  void repositoryCreatesItsTtlIndex() {
    assertThat(
            template
                .getCollection(MongoIndexedSessionRepository.DEFAULT_COLLECTION_NAME)
                .listIndexes())
        .anySatisfy(
            index ->
                assertThat(index)
                    .containsKey("expireAfterSeconds")
                    .hasEntrySatisfying(
                        "key", key -> assertThat(key).isEqualTo(new Document("expireAt", 1))));
  }

  @Test
  void sessionIsSavedUpdatedFoundByUserAndDeleted() {
    MongoSession session = of("ada", Duration.ofMinutes(30));
    MongoSession found = Objects.requireNonNull(sessions.findById(session.getId()));
    found.setAttribute("cart", "three apples");
    sessions.save(found);
    Map<String, MongoSession> ofAda = sessions.findByPrincipalName("ada");
    assertThat(ofAda).containsOnlyKeys(session.getId());
    assertThat(ofAda.get(session.getId()))
        .satisfies(one -> assertThat(one.<String>getAttribute("cart")).isEqualTo("three apples"));
    sessions.deleteById(session.getId());
    assertThat(sessions.findById(session.getId())).isNull();
    assertThat(sessions.findByPrincipalName("ada")).isEmpty();
  }

  @Test
  void idleSessionExpires() {
    MongoSession stays = of("bob", Duration.ofMinutes(30));
    MongoSession goes = of("bob", Duration.ofSeconds(1));
    Eventually.holds(
        "one session of bob has expired", () -> sessions.findByPrincipalName("bob").size() == 1);
    assertThat(stored()).isEqualTo(1);
    assertThat(sessions.findById(goes.getId())).isNull();
    assertThat(sessions.findById(stays.getId())).isNotNull();
    sessions.deleteById(stays.getId());
  }
}

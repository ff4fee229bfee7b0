package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.spring.MayflyClock;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.domain.Sort.Direction;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.index.Index;

@SpringBootTest
final class SessionsTest {
  @Autowired MongoTemplate mongo;
  @Autowired MayflyClock clock;

  @Test
  void aSessionIsGoneAfterHalfAnHour() {
    Index ttl = new Index("at", Direction.ASC).expire(Duration.ofMinutes(30));
    mongo.indexOps("sessions").createIndex(ttl);
    mongo.insert(new Document("user", "ada").append("at", clock.instant()), "sessions");
    clock.advance(Duration.ofMinutes(29));
    assertThat(mongo.findAll(Document.class, "sessions")).hasSize(1);
    clock.advance(Duration.ofMinutes(1));
    assertThat(mongo.findAll(Document.class, "sessions")).isEmpty();
  }
}

package dev.mayfly.mongo;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.admin.Topology;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.auth.Logins;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mongo.session.Sessions;
import java.security.SecureRandom;

/** What the commands of one door share. */
record Parts(
    Engine engine,
    MongoSettings settings,
    Topology topology,
    Users users,
    Logins logins,
    Guard guard,
    Sessions sessions,
    Monitoring monitoring) {
  private static final int PROCESS_ID_BYTES = 12;

  static Parts of(Engine engine, MongoSettings settings) {
    byte[] processId = new byte[PROCESS_ID_BYTES];
    new SecureRandom().nextBytes(processId);
    Users users = new Users(engine);
    return new Parts(
        engine,
        settings,
        new Topology(settings.setName(), settings.advertisedHost(), processId),
        users,
        new Logins(users),
        new Guard(settings.login(), users),
        new Sessions(settings.ticker()),
        Monitoring.of(engine, settings.about(), settings.maxConnections(), settings.ticker()));
  }
}

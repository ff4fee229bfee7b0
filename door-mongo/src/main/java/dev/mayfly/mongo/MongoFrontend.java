package dev.mayfly.mongo;

import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.auth.Logins;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mongo.command.DefaultConcerns;
import dev.mayfly.mongo.command.HomeCopy;
import dev.mayfly.mongo.failpoint.FailPoints;
import dev.mayfly.mongo.topology.Topology;
import java.security.SecureRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * State that exists once per server, however many engines it serves: topology, users and login,
 * connected clients, counters, fail points. State of one engine is in {@link MongoBackend}.
 *
 * <p>Users, roles and default concerns are stored in the engine that holds {@code admin} and {@code
 * config}. Thread-safe.
 *
 * @param clock wall clock of the server, in epoch milliseconds
 * @param defaults read and write concern of requests without one
 */
record MongoFrontend(
    MongoSettings settings,
    LongSupplier clock,
    Topology topology,
    Users users,
    Logins logins,
    Guard guard,
    Monitoring monitoring,
    FailPoints failPoints,
    DefaultConcerns defaults) {
  private static final int PROCESS_ID_BYTES = 12;

  /**
   * The state of a server that has just started.
   *
   * @param admin the engine that holds the databases {@code admin} and {@code config}
   */
  static MongoFrontend of(Engine admin, MongoSettings settings) {
    return of(
        admin::now, new Users(admin), new DefaultConcerns(admin, implicit(settings)), settings);
  }

  /**
   * The state of one of several servers: without users until some are {@linkplain #load loaded}.
   *
   * @param home returns the engine of the home cell; fails if another server has it
   */
  static MongoFrontend shared(Supplier<Engine> home, LongSupplier clock, MongoSettings settings) {
    return of(clock, new Users(home), new DefaultConcerns(home, implicit(settings)), settings);
  }

  private static Durability implicit(MongoSettings settings) {
    return settings.work().durability();
  }

  /** Uses the users, roles and default concerns of a copy. */
  void load(HomeCopy copy) {
    users.load(copy);
    defaults.load(copy);
  }

  private static MongoFrontend of(
      LongSupplier clock, Users users, DefaultConcerns defaults, MongoSettings settings) {
    byte[] processId = new byte[PROCESS_ID_BYTES];
    new SecureRandom().nextBytes(processId);
    return new MongoFrontend(
        settings,
        clock,
        new Topology(settings.address().setName(), settings.address().advertised(), processId),
        users,
        new Logins(users),
        new Guard(settings.security().login(), users),
        Monitoring.of(settings.host().hostname(), settings.connections().max()),
        new FailPoints(),
        defaults);
  }
}

package dev.mayfly.admin.console;

import dev.mayfly.Mayfly;
import dev.mayfly.admin.Readiness;
import dev.mayfly.admin.ServedEngines;
import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.Usage;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Locale;
import java.util.Optional;

/** State of the server: readiness, memory, disk, sweep, settings, addresses. */
final class StatusRequests {
  private final ServedEngines engines;
  private final ServerFacts facts;
  private final Optional<ManualClock> clock;

  /**
   * Creates the requests of a server.
   *
   * @param clock manual clock of the engine; empty for the system clock
   */
  StatusRequests(ServedEngines engines, ServerFacts facts, Optional<ManualClock> clock) {
    this.engines = engines;
    this.facts = facts;
    this.clock = clock;
  }

  Document status(Call call) {
    Readiness readiness = facts.readiness();
    DocumentWriter status =
        Document.writer()
            .put("ready", readiness == Readiness.READY)
            .put("readiness", readiness.text())
            .put("version", Mayfly.VERSION)
            .put("now", Value.date(engines.now()))
            .put("startedAt", Value.date(facts.startedAt()))
            .put("uptimeMillis", facts.wall() - facts.startedAt());
    clock(status.startDocument("clock"));
    memory(status.end().startDocument("memory"));
    disk(status.end().startDocument("disk"));
    status
        .end()
        .startDocument("connections")
        .put("mongo", facts.mongoConnections())
        .put("cosmos", facts.cosmosConnections())
        .end()
        .put("cursors", facts.cursors())
        .put("transactions", engines.openTransactions());
    sweep(status.startDocument("sweep"));
    usage("backlog", engines.backlog(), status.end());
    totals(call.caller(), status);
    alarms(call.caller(), status);
    return status.build();
  }

  private void clock(DocumentWriter reply) {
    reply
        .put("now", Value.date(engines.now()))
        .put("movable", clock.isPresent())
        .put("stands", clock.isPresent() && clock.get().stands())
        .put("confirmed", engines.clockLeap().isEmpty());
    engines.clockLeap().ifPresent(leap -> reply.put("leapMillis", leap.millis()));
  }

  private void memory(DocumentWriter memory) {
    Runtime heap = Runtime.getRuntime();
    memory
        .put("heapUsed", heap.totalMemory() - heap.freeMemory())
        .put("heapMax", heap.maxMemory())
        .put("resident", facts.residentBytes());
  }

  private void disk(DocumentWriter disk) {
    disk.put("used", facts.diskBytes()).put("writable", facts.writable());
    if (facts.freeDiskBytes() >= 0) {
      disk.put("free", facts.freeDiskBytes());
    }
  }

  private void sweep(DocumentWriter sweep) {
    SweepStats stats = engines.sweepStats();
    sweep
        .put("paused", engines.all().stream().anyMatch(Engine::sweepPaused))
        .put("expiryPaused", engines.all().stream().anyMatch(Engine::expiryPaused))
        .put("documents", stats.documents())
        .put("bytes", stats.bytes())
        .put("lagMillis", stats.lagMillis());
  }

  private static void usage(String name, Usage usage, DocumentWriter status) {
    status
        .startDocument(name)
        .put("documents", usage.documents())
        .put("bytes", usage.bytes())
        .end();
  }

  /** Counts what the user may see. */
  private void totals(Caller caller, DocumentWriter status) {
    int collections = 0;
    Usage sum = Usage.NONE;
    for (Engine engine : engines.all()) {
      for (Namespace namespace : engine.namespaces()) {
        if (!Namespaces.isInternal(namespace) && caller.maySee(namespace)) {
          collections++;
          sum = sum.plus(engine.find(namespace).map(Collection::usage).orElse(Usage.NONE));
        }
      }
    }
    status
        .put("collections", collections)
        .put("documents", sum.documents())
        .put("bytes", sum.bytes());
  }

  /** The texts of alarms contain names of collections. */
  private void alarms(Caller caller, DocumentWriter status) {
    boolean texts = caller.session().mayOnCluster("serverStatus");
    status.startArray("alarms");
    for (Alarm alarm : engines.alarms()) {
      status
          .startDocument()
          .put("kind", alarm.kind().name().toLowerCase(Locale.ROOT))
          .put("severity", alarm.severity().name().toLowerCase(Locale.ROOT))
          .put("since", Value.date(alarm.since()))
          .put("text", texts ? alarm.text() : "")
          .end();
    }
    status.end();
  }

  Document settings() {
    DocumentWriter reply = Document.writer().startArray("settings");
    for (ServerFacts.SettingInEffect setting : facts.settings()) {
      reply
          .startDocument()
          .put("name", setting.name())
          .put("value", setting.value())
          .put("from", setting.from())
          .put("description", setting.description())
          .end();
    }
    return reply.end().build();
  }

  /** Returns what connection strings consist of, without the key unless everybody knows it. */
  Document connect(AccountKey key) {
    ServerFacts.Endpoints endpoints = facts.endpoints();
    DocumentWriter reply =
        Document.writer()
            .startDocument("mongo")
            .put("host", endpoints.host())
            .put("port", endpoints.mongoPort())
            .put("tls", endpoints.mongoTls())
            .put("replicaSet", endpoints.replicaSet())
            .put("login", endpoints.login())
            .end();
    if (endpoints.cosmosPort() >= 0) {
      reply
          .startDocument("cosmos")
          .put("host", endpoints.host())
          .put("port", endpoints.cosmosPort())
          .put("tls", true)
          .put("ownCertificate", endpoints.ownCertificate())
          .put("key", key.isWellKnown() ? "well-known" : "own")
          .put("fingerprint", key.fingerprint());
      if (key.isWellKnown()) {
        reply.put("wellKnownKey", key.text());
      }
      reply.end();
    }
    return reply.put("advertised", endpoints.advertised()).put("data", endpoints.data()).build();
  }
}

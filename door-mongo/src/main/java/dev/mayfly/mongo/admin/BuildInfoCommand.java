package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * {@code buildInfo}: the MongoDB version that Mayfly is compatible with, and in {@code mayfly} its
 * own version.
 */
public final class BuildInfoCommand implements Command {
  /** The MongoDB version that drivers and tools see. */
  public static final String VERSION = "8.0.16";

  private static final Value VERSION_ARRAY =
      Value.array(List.of(Value.of(8), Value.of(0), Value.of(16), Value.of(0)));
  private static final int MAX_DOCUMENT_BYTES = 16 << 20;

  private final Host host;

  public BuildInfoCommand(Host host) {
    this.host = host;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    reply
        .put("version", VERSION)
        .put("gitVersion", "unknown")
        .put("modules", Value.array(List.of()))
        .put("allocator", "system")
        .put("javascriptEngine", "none")
        .put("sysInfo", "deprecated")
        .put("versionArray", VERSION_ARRAY)
        .put("buildEnvironment", Document.EMPTY)
        .put("bits", 64)
        .put("debug", false)
        .put("maxBsonObjectSize", MAX_DOCUMENT_BYTES)
        .put("storageEngines", Value.array(List.of(Value.of("mayfly"))))
        .startDocument("mayfly")
        .put("version", host.version())
        .end();
  }
}

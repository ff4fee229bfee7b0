package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/** {@code hostInfo}: the machine on which the server runs. */
public final class HostInfoCommand implements Command {
  private static final long MEBIBYTE = 1 << 20;

  private final Host host;

  public HostInfoCommand(Host host) {
    this.host = host;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    reply
        .startDocument("system")
        .put("currentTime", Value.date(request.now()))
        .put("hostname", host.hostname())
        .put("cpuAddrSize", 64)
        .put("memSizeMB", host.memoryBytes() / MEBIBYTE)
        .put("memLimitMB", host.memoryBytes() / MEBIBYTE)
        .put("numCores", host.cores())
        .put("cpuArch", host.architecture())
        .put("numaEnabled", false)
        .end();
    reply
        .startDocument("os")
        .put("type", host.osName())
        .put("name", host.osName())
        .put("version", host.osVersion())
        .end();
    reply.put("extra", Document.EMPTY);
  }
}

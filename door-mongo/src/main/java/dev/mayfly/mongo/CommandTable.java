package dev.mayfly.mongo;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.admin.Hello;
import dev.mayfly.mongo.admin.Topology;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.value.DocumentWriter;
import java.util.HashMap;
import java.util.Map;

/** Every command of the door by its name; what is not in it is answered as unknown. */
final class CommandTable {
  private final Map<String, Entry> commands = new HashMap<>();

  /** A command and what a client must be allowed to do before it runs. */
  private record Entry(Access access, Command command) {}

  CommandTable(Engine engine, MongoSettings settings, Topology topology) {
    addServer(engine, settings, topology);
  }

  private void addServer(Engine engine, MongoSettings settings, Topology topology) {
    Hello hello =
        new Hello(
            engine, topology, settings.compressors().stream().map(Compressor::label).toList());
    add("hello", Access.ANYONE, hello);
    add("isMaster", Access.ANYONE, hello);
    add("ismaster", Access.ANYONE, hello);
    add("ping", Access.ANYONE, (_, _) -> {});
  }

  private void add(String name, Access access, Command command) {
    commands.put(name, new Entry(access, command));
  }

  /** Runs the command a request names. */
  void run(Request request, DocumentWriter reply) {
    Entry entry = commands.get(request.name());
    if (entry == null) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
    }
    entry.command().run(request, reply);
  }
}

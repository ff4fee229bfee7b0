package dev.mayfly.mongo;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.admin.Hello;
import dev.mayfly.mongo.admin.Topology;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.schema.CollMod;
import dev.mayfly.mongo.schema.CollStats;
import dev.mayfly.mongo.schema.Create;
import dev.mayfly.mongo.schema.CreateIndexes;
import dev.mayfly.mongo.schema.DataSize;
import dev.mayfly.mongo.schema.DbStats;
import dev.mayfly.mongo.schema.Drop;
import dev.mayfly.mongo.schema.DropDatabase;
import dev.mayfly.mongo.schema.DropIndexes;
import dev.mayfly.mongo.schema.ForecastExpiry;
import dev.mayfly.mongo.schema.ListCollections;
import dev.mayfly.mongo.schema.ListDatabases;
import dev.mayfly.mongo.schema.ListIndexes;
import dev.mayfly.mongo.schema.RenameCollection;
import dev.mayfly.mongo.schema.UndoExpiry;
import dev.mayfly.mongo.schema.Validate;
import dev.mayfly.mongo.schema.WhatIf;
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
    addSchema(new Namespaces(engine));
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

  private void addSchema(Namespaces namespaces) {
    DropIndexes dropIndexes = new DropIndexes(namespaces);
    add("collMod", Access.SCHEMA, new CollMod(namespaces));
    add("collStats", Access.INSPECT, new CollStats(namespaces));
    add("create", Access.SCHEMA, new Create(namespaces));
    add("createIndexes", Access.SCHEMA, new CreateIndexes(namespaces));
    add("dataSize", Access.READ, new DataSize(namespaces));
    add("dbStats", Access.INSPECT, new DbStats(namespaces));
    add("deleteIndexes", Access.SCHEMA, dropIndexes);
    add("drop", Access.SCHEMA, new Drop(namespaces));
    add("dropDatabase", Access.SCHEMA, new DropDatabase(namespaces));
    add("dropIndexes", Access.SCHEMA, dropIndexes);
    add("listCollections", Access.READ, new ListCollections(namespaces));
    add("listDatabases", Access.KNOWN, new ListDatabases(namespaces));
    add("listIndexes", Access.READ, new ListIndexes(namespaces));
    add("mayflyForecast", Access.INSPECT, new ForecastExpiry(namespaces));
    add("mayflyUndoExpiry", Access.SCHEMA, new UndoExpiry(namespaces));
    add("mayflyWhatIf", Access.INSPECT, new WhatIf(namespaces));
    add("renameCollection", Access.SCHEMA, new RenameCollection(namespaces));
    add("validate", Access.INSPECT, new Validate(namespaces));
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

package dev.mayfly.mongo;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.Route;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.read.AggregateCommand;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the cell of a request by its database. Reads of a database that does not exist go to the
 * home cell, where they find nothing; writes create it. Thread-safe.
 */
final class RequestRoutes {
  private static final String ON_EXPIRE = "mayflyOnExpire";

  private final Cells cells;
  private final Guard guard;

  /** Cells of databases that were here at their last request. */
  private final Map<String, Integer> here = new ConcurrentHashMap<>();

  RequestRoutes(Cells cells, Guard guard) {
    this.cells = cells;
    this.guard = guard;
  }

  /** Returns the number of a cell; empty if there is none. */
  static OptionalInt cell(Route route) {
    return switch (route) {
      case Route.Here here -> OptionalInt.of(here.cell().number());
      case Route.There there -> OptionalInt.of(there.cell());
      case Route.Orphaned orphaned -> OptionalInt.of(orphaned.cell());
      case Route.Nowhere _ -> OptionalInt.empty();
    };
  }

  /**
   * Returns the route of a request.
   *
   * @throws CommandException if the request was stopped, or names a database in another cell
   */
  Route of(Request request) {
    request.check();
    return of(request, database(request));
  }

  /** Returns the route of a request to one of the databases that it names. */
  Route of(Request request, String database) {
    Route route = existing(database);
    if (route instanceof Route.Here(Cell cell)) {
      here.put(database, cell.number());
    } else {
      here.remove(database);
    }
    if (route instanceof Route.Nowhere) {
      return creates(request) ? created(request, database) : cells.home();
    }
    return route;
  }

  /**
   * Returns the cell of a database if it is here and known to exist, so that the route comes from
   * memory. Does not block.
   */
  Optional<Cell> local(String database) {
    return here.containsKey(database) && existing(database) instanceof Route.Here(Cell cell)
        ? Optional.of(cell)
        : Optional.empty();
  }

  /** Returns the route of a database, without creating it. */
  Route existing(String database) {
    return Names.isInternal(database) ? cells.home() : cells.route(database);
  }

  /** Creates a database for a request that may create it. */
  Route created(Request request, String database) {
    Names.checkDatabase(database);
    if (request.target().type() == Type.STRING && !request.name().equals("renameCollection")) {
      Names.namespace(database, request.target().asString());
    }
    guard.check(Access.WRITE, request);
    return Names.isInternal(database) ? cells.home() : cells.routeForWrite(database);
  }

  private static boolean creates(Request request) {
    return request.name().equals("aggregate")
        ? AggregateCommand.writes(request)
        : Destination.creates(request.name());
  }

  /** Returns the database in which a request runs. */
  private static String database(Request request) {
    if (request.name().equals("bulkWrite")) {
      return bulkDatabases(request).stream().findFirst().orElse(request.database());
    }
    boolean full =
        request.name().equals("renameCollection")
            || request.name().equals("dataSize")
            || request.name().equals("datasize");
    return full && request.target().type() == Type.STRING
        ? databaseOf(request.target(), request.database())
        : request.database();
  }

  /** Returns the cells of the databases of a {@code bulkWrite}; creates those that do not exist. */
  Map<String, Integer> ofBulk(Request request) {
    Map<String, Integer> found = new HashMap<>();
    for (String database : bulkDatabases(request)) {
      cell(of(request, database)).ifPresent(cell -> found.put(database, cell));
    }
    return found;
  }

  /** Returns the databases of a {@code bulkWrite}, in the order of their first namespaces. */
  static Set<String> bulkDatabases(Request request) {
    Set<String> databases = new LinkedHashSet<>();
    for (Document info : request.documents("nsInfo")) {
      Value name = info.field("ns");
      if (name.type() == Type.STRING) {
        databases.add(databaseOf(name, ""));
      }
    }
    return databases;
  }

  private static String databaseOf(Value namespace, String otherwise) {
    int dot = namespace.asString().indexOf('.');
    return dot < 0 ? otherwise : namespace.asString().substring(0, dot);
  }

  /**
   * Checks that a request writes to no other cell than its own.
   *
   * @throws CommandException ILLEGAL_OPERATION
   */
  void checkTargets(Request request, int cell) {
    for (String other : targets(request)) {
      Route route = existing(other);
      OptionalInt target = cell(route instanceof Route.Nowhere ? created(request, other) : route);
      if (target.isPresent() && target.getAsInt() != cell) {
        throw new CommandException(
            ErrorCode.ILLEGAL_OPERATION,
            request.name()
                + " cannot write to the database '"
                + other
                + "': it is in another cell than '"
                + database(request)
                + "'");
      }
    }
  }

  /** Returns the other databases that a request writes to, now or when documents expire. */
  private static Set<String> targets(Request request) {
    return switch (request.name()) {
      case "aggregate" -> AggregateCommand.writes(request) ? outputs(request) : Set.of();
      case "renameCollection" ->
          request.field("to").type() == Type.STRING
              ? others(request, databaseOf(request.field("to"), ""))
              : Set.of();
      case "create", "collMod" -> {
        Value action = request.field(ON_EXPIRE);
        Value target = action.isDocument() ? action.asDocument().field("moveTo") : Value.MISSING;
        yield target.type() == Type.STRING ? others(request, databaseOf(target, "")) : Set.of();
      }
      case String _ -> Set.of();
    };
  }

  private static Set<String> outputs(Request request) {
    List<Document> stages = request.documents("pipeline");
    Fields last = stages.getLast().fields();
    last.next();
    Value target = last.value();
    if (last.named("$merge") && target.isDocument()) {
      target = target.asDocument().field("into");
    }
    Value database = target.isDocument() ? target.asDocument().field("db") : Value.MISSING;
    return database.type() == Type.STRING ? others(request, database.asString()) : Set.of();
  }

  /** A name that is no database is left to the command, which rejects it. */
  private static Set<String> others(Request request, String database) {
    return database.isEmpty() || database.equals(database(request)) ? Set.of() : Set.of(database);
  }
}

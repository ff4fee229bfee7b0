package dev.mayfly.admin.console;

import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.ClusterAdmin;
import dev.mayfly.admin.RelayedRequest;
import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.Route;
import dev.mayfly.engine.Engine;
import dev.mayfly.http.Request;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs requests of the console on the engine that they concern: at this server, or relayed to the
 * server of its cell. This server has checked the user and its roles. Safe for many threads.
 */
final class ConsoleCells {
  private static final String KIND = "kind";
  private static final String DATABASE = "database";
  private static final String USER = "user";
  private static final String INCARNATION = "incarnation";

  private final Cells cells;
  private final Optional<ClusterAdmin> relays;
  private final MongoDoor mongo;
  private final RelayedAnswer answer;

  /** Answers a request that another server relays. */
  @FunctionalInterface
  interface RelayedAnswer {
    Document answer(String method, String path, Call call);
  }

  ConsoleCells(Cells cells, Optional<ClusterAdmin> relays, MongoDoor mongo, RelayedAnswer answer) {
    this.cells = cells;
    this.relays = relays;
    this.mongo = mongo;
    this.answer = answer;
    relays.ifPresent(cluster -> cluster.console(this::relayed));
  }

  /** Returns the engine of a server that is alone. */
  Engine only() {
    if (cells.isShared()) {
      throw Refusal.of(
          Refusal.CONFLICT,
          "On several servers, this works for a single collection or container only: choose one.");
    }
    return cells.served().getFirst().engine();
  }

  /** Answers a request on the engine that it concerns. */
  Document answer(
      Console.Scope scope, Request request, Call call, Function<Call, Document> action) {
    if (relays.isEmpty() || scope == Console.Scope.HERE) {
      return action.apply(call);
    }
    Supplier<Route> route =
        scope == Console.Scope.HOME ? cells::home : () -> cells.route(call.names().getFirst());
    String path = request.path().substring(AdminApi.ROOT.length());
    return relays
        .get()
        .at(
            route,
            new ClusterAdmin.Action(
                request.method(),
                path,
                call.body(),
                form(call.caller()),
                cell -> action.apply(call.on(cell.engine()))));
  }

  private static Document form(Caller caller) {
    DocumentWriter form =
        Document.writer().put(KIND, caller.kind().name()).put(INCARNATION, caller.incarnation());
    caller.user().ifPresent(user -> form.put(DATABASE, user.database()).put(USER, user.user()));
    return form.build();
  }

  private Document relayed(Cell cell, RelayedRequest request, BooleanSupplier abandoned) {
    Document form = request.caller();
    Value name = form.field(USER);
    Optional<Identity> user =
        name.isMissing()
            ? Optional.empty()
            : Optional.of(new Identity(form.field(DATABASE).asString(), name.asString()));
    Caller caller =
        new Caller(
            Caller.Kind.valueOf(form.field(KIND).asString()),
            user,
            form.field(INCARNATION).asString(),
            mongo.session(user, "console"));
    try {
      Call call = new Call(caller, cell::engine, List.of(), request.body(), abandoned);
      return answer.answer(request.method(), request.path(), call);
    } catch (Refusal refused) {
      throw refused.toAdminException();
    } finally {
      caller.close();
    }
  }
}

package dev.mayfly.cosmos;

import dev.mayfly.cosmos.account.AccountBodies;
import dev.mayfly.cosmos.account.Selection;
import dev.mayfly.cosmos.auth.AuthResult;
import dev.mayfly.cosmos.query.ResourceQueries;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Verb;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lists and queries of databases and of offers, which are in all cells of a cluster. Every cell
 * lists its own; this selects among all of them and divides them into pages.
 */
final class JoinedFeeds {
  private final Selection selection = new ResourceQueries();
  private final Clock wall;

  JoinedFeeds(Clock wall) {
    this.wall = wall;
  }

  /**
   * Answers a list or a query.
   *
   * @param cells returns the reply of each cell to a request
   */
  Reply answer(Call call, Function<Call, List<Reply>> cells) {
    String feed = call.address().type() == ResourceType.OFFER ? "Offers" : "Databases";
    List<Document> all = new ArrayList<>();
    for (Reply reply : cells.apply(wholeList(call))) {
      if (reply.status() != AccountBodies.OK) {
        return reply;
      }
      add(Json.parse(reply.body(), Limits.COSMOS).field(feed).asDocument(), all);
    }
    all.sort(Comparator.comparing(resource -> resource.field("id").asString()));
    Exchange exchange =
        new Exchange(call.request(), call.address(), wall::now, call.activity(), Optional.empty());
    return Replies.of(exchange, it -> page(it, feed, all));
  }

  private Reply page(Exchange exchange, String feed, List<Document> all) {
    return Verb.of(exchange.request(), exchange.address()) == Verb.LIST
        ? AccountBodies.list(exchange, "", feed, all)
        : AccountBodies.results(
            exchange, "", feed, selection.select(AccountBodies.of(exchange), all, exchange.now()));
  }

  /** Returns the request for the list of one cell, in one page. */
  private static Call wholeList(Call call) {
    String path = "/" + call.address().type().word();
    String version = call.request().header(HeaderNames.VERSION);
    Request request =
        Request.of("GET", path, version == null ? Map.of() : Map.of(HeaderNames.VERSION, version));
    return new Call(
        request,
        new AuthResult(Address.of(path), Optional.empty()),
        call.activity(),
        Optional.empty());
  }

  private static void add(Document list, List<Document> all) {
    Fields fields = list.fields();
    while (fields.next()) {
      all.add(fields.value().asDocument());
    }
  }
}

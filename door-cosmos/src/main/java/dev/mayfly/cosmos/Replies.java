package dev.mayfly.cosmos;

import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.SessionToken;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.Charge;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;

/** Makes the replies of requests: errors, and the headers that every reply has. */
final class Replies {
  private static final double HUNDREDTHS = 100;
  private static final String VERSION = "version=2.14.0.0";
  private static final String SCHEMA = "1.18";

  private Replies() {}

  /**
   * Runs an endpoint and returns its reply. A failure becomes an error reply.
   *
   * @throws MovedException if nothing was done, because the cell of the database has moved
   * @throws PeerException if the cell has moved, and something may have been done
   */
  static Reply of(Exchange exchange, Endpoint endpoint) {
    Reply reply;
    try {
      reply = endpoint.run(exchange);
    } catch (MovedException | PeerException elsewhere) {
      throw elsewhere;
    } catch (RuntimeException failure) {
      reply = Failures.of(failure).reply(exchange.activityId());
      if (exchange.charged() == 0) {
        boolean wrong = reply.status() == Status.BAD_REQUEST.number();
        exchange.charge(wrong ? Charge.REFUSED : Charge.MISS);
      }
    }
    formatToken(exchange.request(), reply);
    return finish(exchange.finish(reply), exchange.activityId(), exchange.charged());
  }

  /** Returns the error reply of a request that has had no exchange. */
  static Reply failure(RuntimeException failure, String activity) {
    return finish(Failures.of(failure).reply(activity), activity, 0);
  }

  /** Writes the session token in the old form for clients that do not know the vector form. */
  private static void formatToken(Request request, Reply reply) {
    String version = request.header(HeaderNames.VERSION);
    String token = reply.header(HeaderNames.SESSION_TOKEN);
    if (token != null && version != null && version.compareTo(SessionToken.SINCE) < 0) {
      reply.header(HeaderNames.SESSION_TOKEN, SessionToken.parse(token).simple());
    }
  }

  private static Reply finish(Reply reply, String activity, double charged) {
    return reply
        .header(HeaderNames.CHARGE, units(charged))
        .header(HeaderNames.ACTIVITY_ID, activity)
        .header(HeaderNames.SERVICE_VERSION, VERSION)
        .header(HeaderNames.GATEWAY_VERSION, VERSION)
        .header(HeaderNames.SCHEMA_VERSION, SCHEMA);
  }

  /** Formats request units with two decimals; whole numbers without a point. */
  private static String units(double charged) {
    long hundredths = Math.round(charged * HUNDREDTHS);
    return hundredths % (long) HUNDREDTHS == 0
        ? Long.toString(hundredths / (long) HUNDREDTHS)
        : Double.toString(hundredths / HUNDREDTHS);
  }
}

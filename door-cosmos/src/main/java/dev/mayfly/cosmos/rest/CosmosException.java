package dev.mayfly.cosmos.rest;

import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;

/** Error reply of the protocol. Has no stack trace: it is not an error of the server. */
public final class CosmosException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final String SIGNATURE = ", Microsoft.Azure.Documents.Common/2.14.0";

  private final Status status;
  private final int substatus;
  private final transient Map<String, String> headers = new LinkedHashMap<>();

  public CosmosException(Status status, String message) {
    this(status, 0, message);
  }

  public CosmosException(Status status, int substatus, String message) {
    super(message, null, false, false);
    this.status = status;
    this.substatus = substatus;
  }

  /** Returns a 400 in the form that Cosmos DB uses for an invalid body. */
  public static CosmosException wrong(String error) {
    return new CosmosException(Status.BAD_REQUEST, errors(error));
  }

  /** Returns a 400 for an invalid value of a header. */
  public static CosmosException header(String name, String value) {
    return new CosmosException(
        Status.BAD_REQUEST,
        "Value '" + value + "' specified for the header '" + name + "' is invalid.");
  }

  /** Formats a message as Cosmos DB formats messages of its backend. */
  public static String errors(String error) {
    Document list = Document.writer().startArray("Errors").add(Value.of(error)).end().build();
    return "Message: " + Json.write(list);
  }

  /** Returns a 404: the resource does not exist. */
  public static CosmosException notFound() {
    return new CosmosException(
        Status.NOT_FOUND,
        errors("Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found"));
  }

  /** Returns a 409: another resource has the id. */
  public static CosmosException exists() {
    return new CosmosException(
        Status.CONFLICT,
        errors(
            "Resource with specified id or name already exists."
                + " Learn more: https://aka.ms/cosmosdb-tsg-conflict"));
  }

  /** Returns this error with one more header. */
  public CosmosException withHeader(String name, String value) {
    headers.put(name, value);
    return this;
  }

  public Status status() {
    return status;
  }

  public int substatus() {
    return substatus;
  }

  /** Returns the message without the activity id. */
  public String text() {
    return String.valueOf(getMessage());
  }

  /** Returns the milliseconds after which the client should retry; 0 if there is no such header. */
  public long retryAfterMillis() {
    String retryAfter = headers.get(HeaderNames.RETRY_AFTER);
    return retryAfter == null ? 0 : Long.parseLong(retryAfter);
  }

  /** Returns the reply. */
  public Reply reply(String activityId) {
    Reply reply = new Reply(status.number());
    headers.forEach(reply::header);
    // as in Cosmos DB: a plain 404 has no such header, other errors have a 0
    if (substatus != 0 || status != Status.NOT_FOUND) {
      reply.header(HeaderNames.SUBSTATUS, Integer.toString(substatus));
    }
    return reply.header(HeaderNames.ACTIVITY_ID, activityId).body(body(activityId));
  }

  private byte[] body(String activityId) {
    String message = text() + "\r\nActivityId: " + activityId + SIGNATURE;
    return Json.bytes(Document.writer().put("code", status.code()).put("message", message).build());
  }
}

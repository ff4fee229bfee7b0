package dev.mayfly.admin;

import dev.mayfly.cluster.RelayMessage;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Limits;

/**
 * Request of the admin API as one server relays it to another, and its reply.
 *
 * @param cell number of the cell that the request is for
 * @param author of the changes that it makes; empty if unknown
 * @param caller user of the console; empty for a program with the key
 */
public record RelayedRequest(
    int cell, String method, String path, String author, Document caller, Document body) {
  private static final String CELL = "cell";
  private static final String METHOD = "method";
  private static final String PATH = "path";
  private static final String AUTHOR = "author";
  private static final String CALLER = "caller";
  private static final String STATUS = "status";
  private static final String ERROR = "error";
  private static final int OK = 200;

  /** A document of the maximum size, with its envelope. */
  private static final Limits LIMITS = new Limits(33 << 20, 200);

  RelayedRequest(int cell, ClusterAdmin.Action action) {
    this(
        cell,
        action.method(),
        action.path(),
        ChangeAuthor.current(),
        action.caller(),
        action.body());
  }

  RelayMessage message() {
    return new RelayMessage(
        Document.writer()
            .put(CELL, cell)
            .put(METHOD, method)
            .put(PATH, path)
            .put(AUTHOR, author)
            .put(CALLER, caller)
            .build(),
        body.bytes());
  }

  static RelayedRequest of(RelayMessage message) {
    Document header = message.header();
    return new RelayedRequest(
        header.field(CELL).asInt(),
        header.field(METHOD).asString(),
        header.field(PATH).asString(),
        header.field(AUTHOR).asString(),
        header.field(CALLER).asDocument(),
        Document.of(message.payload(), LIMITS));
  }

  /** Returns the message with a reply. */
  static RelayMessage message(Document reply) {
    return new RelayMessage(Document.writer().put(STATUS, OK).build(), reply.bytes());
  }

  /** Returns the message with the failure of a request. */
  static RelayMessage message(AdminException failure) {
    DocumentWriter header =
        Document.writer()
            .put(STATUS, failure.status())
            .put(ERROR, String.valueOf(failure.getMessage()));
    return new RelayMessage(header.build(), failure.details().bytes());
  }

  /**
   * Parses the message with a reply.
   *
   * @throws AdminException if it contains a failure
   */
  static Document reply(RelayMessage message) {
    int status = message.header().field(STATUS).asInt();
    Document content = Document.of(message.payload(), LIMITS);
    if (status != OK) {
      throw new AdminException(status, message.header().field(ERROR).asString(), content);
    }
    return content;
  }
}

package dev.mayfly.cosmos.rest;

import dev.mayfly.http.Request;
import org.jspecify.annotations.Nullable;

/** Operation of a request, from its method, address and headers. */
public enum Verb {
  CREATE,
  UPSERT,
  BATCH,
  QUERY,
  PLAN,
  READ,
  LIST,
  /** Change feed: the latest version of each changed resource. */
  CHANGES,
  /** Change feed with all versions and deletes. */
  VERSIONS,
  REPLACE,
  PATCH,
  DELETE,
  EXECUTE,
  /** Unknown to the protocol. */
  NONE;

  private static final String FULL_FIDELITY = "full";
  private static final String QUERY_TYPE = "application/query+json";

  /** Returns the operation of a request to an address. */
  public static Verb of(Request request, Address address) {
    return address.feed() ? onFeed(request) : onResource(request.method());
  }

  /** Whether a request to a feed creates or upserts the resource in its body. */
  public static boolean writesOne(Request request) {
    Verb verb = onFeed(request);
    return verb == CREATE || verb == UPSERT;
  }

  /** Whether the operation changes nothing. */
  public boolean reads() {
    return switch (this) {
      case READ, LIST, CHANGES, VERSIONS, QUERY, PLAN -> true;
      case CREATE, UPSERT, BATCH, REPLACE, PATCH, DELETE, EXECUTE, NONE -> false;
    };
  }

  private static Verb onResource(String method) {
    return switch (method) {
      case "GET", "HEAD" -> READ;
      case "PUT" -> REPLACE;
      case "PATCH" -> PATCH;
      case "DELETE" -> DELETE;
      case "POST" -> EXECUTE;
      default -> NONE;
    };
  }

  private static Verb onFeed(Request request) {
    return switch (request.method()) {
      case "GET", "HEAD" -> listed(request.header(HeaderNames.A_IM));
      case "POST" -> posted(request);
      default -> NONE;
    };
  }

  private static Verb listed(@Nullable String form) {
    if (form == null || form.isEmpty()) {
      return LIST;
    }
    return form.regionMatches(true, 0, FULL_FIDELITY, 0, FULL_FIDELITY.length())
        ? VERSIONS
        : CHANGES;
  }

  private static Verb posted(Request request) {
    if (request.isTrue(HeaderNames.IS_QUERY_PLAN)) {
      return PLAN;
    }
    if (request.isTrue(HeaderNames.IS_QUERY) || isQuery(request.header(HeaderNames.CONTENT_TYPE))) {
      return QUERY;
    }
    if (request.isTrue(HeaderNames.IS_BATCH)) {
      return BATCH;
    }
    return request.isTrue(HeaderNames.IS_UPSERT) ? UPSERT : CREATE;
  }

  private static boolean isQuery(@Nullable String contentType) {
    return contentType != null && contentType.startsWith(QUERY_TYPE);
  }
}

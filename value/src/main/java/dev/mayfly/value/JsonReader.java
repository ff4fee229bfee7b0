package dev.mayfly.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.mayfly.value.ValueException.Reason;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts JSON tokens to BSON bytes, without a tree and without recursion.
 *
 * <p>One text, one reader, one call of {@link #document()} or {@link #value()}.
 */
final class JsonReader {
  /**
   * The part of the tokenizer's messages that describes its source, which is of no use to a client.
   */
  private static final Pattern MARKER = Pattern.compile(" \\(start marker at \\[Source: .*?\\]\\)");

  /** This class limits size and depth; buffers are pooled because threads are virtual. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;
  private final Limits limits;
  private final boolean extended;
  private final DocumentWriter writer;

  /** Number of containers that were open before this reader began. */
  private final int outside;

  /** Number of open containers, including those around this reader. */
  private int depth;

  /** The depth of the writer's root, for which {@link DocumentWriter#end} must not be called. */
  private int root;

  /** Whether the current token was read ahead. */
  private boolean ahead;

  JsonReader(JsonParser parser, Limits limits, boolean extended, int depth) {
    this(parser, limits, extended, depth, Document.writer());
  }

  private JsonReader(
      JsonParser parser, Limits limits, boolean extended, int depth, DocumentWriter writer) {
    this.writer = writer;
    this.parser = parser;
    this.limits = limits;
    this.extended = extended;
    this.outside = depth;
    this.depth = depth;
    this.root = depth;
  }

  static JsonReader plain(String text, Limits limits) {
    return new JsonReader(parser(text), limits, false, 0);
  }

  static JsonReader plain(byte[] utf8, Limits limits) {
    // BSON is about as long as text
    return new JsonReader(parser(utf8), limits, false, 0, new DocumentWriter(0, utf8.length));
  }

  static JsonReader extended(String text, Limits limits) {
    return new JsonReader(parser(text), limits, true, 0);
  }

  static JsonReader extended(byte[] utf8, Limits limits) {
    return new JsonReader(parser(utf8), limits, true, 0);
  }

  /** Reads the only object of the text. */
  Document document() {
    try (parser) {
      require(parser.nextToken() == JsonToken.START_OBJECT, "expected an object");
      Document document = object();
      finish();
      return sized(document);
    } catch (IOException e) {
      throw notJson(e);
    } catch (ValueException e) {
      throw positioned(e);
    }
  }

  /** Reads the only value of the text. */
  Value value() {
    try (parser) {
      value(parser.nextToken(), null);
      contents();
      finish();
      return sized(writer.build()).field("0");
    } catch (IOException e) {
      throw notJson(e);
    } catch (ValueException e) {
      throw positioned(e);
    }
  }

  /** Reads the object whose start is the current token, to its end. */
  Document object() throws IOException {
    enter();
    root = depth;
    contents();
    return writer.build();
  }

  /** Returns the failure at the current token. */
  static ValueException notJson(JsonParser parser, String message) {
    return new ValueException(Reason.NOT_JSON, message, position(parser.currentTokenLocation()));
  }

  /** Reads until everything that this reader entered is left. */
  private void contents() throws IOException {
    while (depth > outside) {
      JsonToken token = next();
      if (token.isStructEnd()) {
        leave();
      } else if (token == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        value(parser.nextToken(), name);
      } else {
        value(token, null);
      }
    }
  }

  private JsonToken next() throws IOException {
    if (ahead) {
      ahead = false;
      return parser.currentToken();
    }
    return parser.nextToken();
  }

  private void enter() {
    if (depth == limits.maxDepth()) {
      long position = position(parser.currentTokenLocation());
      throw new ValueException(Reason.TOO_DEEP, "document is too deep", position);
    }
    depth++;
  }

  private void leave() {
    if (depth > root) {
      writer.end();
    }
    depth--;
  }

  /** Writes a scalar, or enters a container; without a name it is the next array element. */
  private void value(@Nullable JsonToken token, @Nullable String name) throws IOException {
    switch (token) {
      case START_OBJECT -> start(name);
      case START_ARRAY -> open(Type.ARRAY, name);
      case VALUE_STRING ->
          begin(Type.STRING, name)
              .string(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
      case VALUE_NUMBER_INT -> integer(name);
      case VALUE_NUMBER_FLOAT -> number(name);
      case VALUE_TRUE -> begin(Type.BOOLEAN, name).int8(1);
      case VALUE_FALSE -> begin(Type.BOOLEAN, name).int8(0);
      case VALUE_NULL -> begin(Type.NULL, name);
      case null, default -> throw notJson(parser, "expected a value");
    }
  }

  private void start(@Nullable String name) throws IOException {
    if (extended && parser.nextToken() == JsonToken.FIELD_NAME) {
      String first = parser.currentName();
      if (Wrappers.reserved(first)) {
        Value value = new Wrappers(parser, limits, depth).read(first);
        if (name == null) {
          writer.add(value);
        } else {
          writer.put(name, value);
        }
        return;
      }
    }
    ahead = extended;
    open(Type.OBJECT, name);
  }

  private void open(Type type, @Nullable String name) {
    enter();
    begin(type, name).open();
  }

  private DocumentWriter begin(Type type, @Nullable String name) {
    if (name == null) {
      writer.index(type);
    } else {
      writer.name(type, name);
    }
    return writer;
  }

  private void integer(@Nullable String name) throws IOException {
    switch (parser.getNumberType()) {
      case INT -> {
        if (extended) {
          begin(Type.INT32, name).int32(parser.getIntValue());
        } else {
          begin(Type.INT64, name).int64(parser.getIntValue());
        }
      }
      case LONG -> begin(Type.INT64, name).int64(parser.getLongValue());
      default -> number(name);
    }
  }

  private void number(@Nullable String name) throws IOException {
    double number = Double.parseDouble(parser.getText());
    require(Double.isFinite(number), "number is out of range");
    begin(Type.DOUBLE, name).int64(Double.doubleToRawLongBits(number));
  }

  private void finish() throws IOException {
    require(parser.nextToken() == null, "more text after the value");
  }

  private void require(boolean held, String message) {
    if (!held) {
      throw notJson(parser, message);
    }
  }

  private Document sized(Document document) {
    if (document.length() > limits.maxBytes()) {
      throw new ValueException(Reason.TOO_LARGE, "document is too large");
    }
    return document;
  }

  /** Adds the position to a failure of the writer, which does not know it. */
  private ValueException positioned(ValueException e) {
    return e.position() >= 0
        ? e
        : new ValueException(
            e.reason(), String.valueOf(e.getMessage()), position(parser.currentLocation()));
  }

  private static ValueException notJson(IOException e) {
    if (e instanceof JsonProcessingException refusal) {
      long position = position(refusal.getLocation());
      String message = MARKER.matcher(refusal.getOriginalMessage()).replaceAll("");
      return new ValueException(Reason.NOT_JSON, message, position);
    }
    return new ValueException(Reason.NOT_JSON, String.valueOf(e.getMessage()));
  }

  private static long position(@Nullable JsonLocation location) {
    if (location == null) {
      return 0;
    }
    return location.getByteOffset() >= 0 ? location.getByteOffset() : location.getCharOffset();
  }

  private static JsonParser parser(String text) {
    try {
      return FACTORY.createParser(text);
    } catch (IOException e) {
      throw notJson(e);
    }
  }

  private static JsonParser parser(byte[] utf8) {
    int bad = Utf8.firstInvalid(utf8, 0, utf8.length);
    if (bad < utf8.length) {
      throw new ValueException(Reason.NOT_JSON, "text is not UTF-8", bad);
    }
    try {
      return FACTORY.createParser(utf8);
    } catch (IOException e) {
      throw notJson(e);
    }
  }
}

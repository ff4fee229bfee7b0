package dev.mayfly.mongo.wire;

import dev.mayfly.value.Document;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Decodes one frame. For one thread, used once. */
final class MessageDecoder {
  /** A document of maximum size, and 16 KiB for the command around it. */
  private static final Limits LIMITS = new Limits((16 << 20) + (16 << 10), 200);

  private static final int HEADER = 16;
  private static final int COMPRESSED_HEADER = HEADER + 9;
  private static final int MAX_BYTES = 48_000_000;
  private static final int CHECKSUM_PRESENT = 1;
  private static final int MORE_TO_COME = 1 << 1;
  private static final int EXHAUST_ALLOWED = 1 << 16;
  private static final int MUST_UNDERSTAND = 0xFFFF & ~(CHECKSUM_PRESENT | MORE_TO_COME);

  private final byte[] frame;
  private final Compressor compressor;
  private final int requestId;
  private int position = HEADER;
  private int end;

  MessageDecoder(byte[] frame, Compressor compressor) {
    this.frame = frame;
    this.compressor = compressor;
    this.requestId = WireBytes.int32(frame, 4);
    this.end = frame.length;
  }

  Message decode() {
    int kind = WireBytes.int32(frame, 12);
    try {
      return switch (kind) {
        case Message.MSG -> call();
        case Message.QUERY -> query();
        case Message.COMPRESSED -> compressed();
        default -> throw new WireException("unsupported opcode: " + kind);
      };
    } catch (ValueException invalid) {
      return new Message.Unreadable(requestId, compressor, invalid);
    }
  }

  private Message call() {
    int flags = int32();
    if ((flags & MUST_UNDERSTAND) != 0) {
      throw new WireException("unknown required flags: " + Integer.toHexString(flags));
    }
    if ((flags & CHECKSUM_PRESENT) != 0) {
      checkSum();
    }
    Document body = null;
    Map<String, List<Document>> sequences = new HashMap<>();
    while (position < end) {
      byte kind = frame[position++];
      if (kind == 0 && body == null) {
        body = document(end);
      } else if (kind == 1) {
        sequence(sequences);
      } else {
        throw new WireException("invalid section kind: " + kind);
      }
    }
    return new Message.Call(
        requestId,
        compressor,
        (flags & MORE_TO_COME) != 0,
        (flags & EXHAUST_ALLOWED) != 0,
        present(body),
        sequences);
  }

  private static Document present(@Nullable Document body) {
    if (body == null) {
      throw new WireException("message without a body section");
    }
    return body;
  }

  private void checkSum() {
    end -= 4;
    if (end < position) {
      throw new WireException("message is too short for its checksum");
    }
    CRC32C sum = new CRC32C();
    sum.update(frame, 0, end);
    if ((int) sum.getValue() != WireBytes.int32(frame, end)) {
      throw new WireException("checksum mismatch");
    }
  }

  /** Decodes a document sequence. */
  private void sequence(Map<String, List<Document>> sequences) {
    int start = position;
    int size = int32();
    if (size < 5 || size > end - start) {
      throw new WireException("invalid section length: " + size);
    }
    int sectionEnd = start + size;
    String field = cstring(sectionEnd);
    List<Document> documents = new ArrayList<>();
    while (position < sectionEnd) {
      documents.add(document(sectionEnd));
    }
    if (sequences.put(field, documents) != null) {
      throw new WireException("duplicate document sequence: " + field);
    }
  }

  private Message query() {
    int32();
    String collection = cstring(end);
    int32();
    int32();
    return new Message.Query(requestId, compressor, collection, document(end));
  }

  private Message compressed() {
    if (compressor != Compressor.NOOP || end < COMPRESSED_HEADER) {
      throw new WireException("invalid compressed message");
    }
    int original = int32();
    int size = int32();
    if (size < 0 || size > MAX_BYTES - HEADER || original == Message.COMPRESSED) {
      throw new WireException("invalid compressed message");
    }
    Compressor packed = Compressor.ofId(frame[position++]);
    byte[] plain = new byte[HEADER + size];
    System.arraycopy(frame, 0, plain, 0, HEADER);
    WireBytes.int32(plain, 0, plain.length);
    WireBytes.int32(plain, 12, original);
    packed.fill(frame, position, plain, HEADER);
    return new MessageDecoder(plain, packed).decode();
  }

  private Document document(int limit) {
    Document document = Document.of(frame, position, limit, LIMITS);
    position += document.length();
    return document;
  }

  private int int32() {
    if (end - position < 4) {
      throw new WireException("message is too short");
    }
    int value = WireBytes.int32(frame, position);
    position += 4;
    return value;
  }

  private String cstring(int limit) {
    int from = position;
    while (position < limit && frame[position] != 0) {
      position++;
    }
    if (position == limit) {
      throw new WireException("unterminated string");
    }
    return new String(frame, from, position++ - from, StandardCharsets.UTF_8);
  }
}

package dev.mayfly.mongo.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.testing.Mutations;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.ValueException;
import dev.mayfly.value.testing.SeedExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random bytes are decoded or rejected, without other failures, endless loops or more memory than
 * the limits allow.
 */
@ExtendWith(SeedExtension.class)
final class WireFuzzTest {
  private static final int CHANGES = 30_000;
  private static final int HEADER = 16;

  static final String COMMAND =
      "{\"find\":\"c\",\"filter\":{\"a\":{\"$in\":[1,2.5,\"x\",null,true,{\"$oid\":"
          + "\"000000000000000000000000\"}]},\"d\":{\"$date\":\"2020-01-01T00:00:00Z\"},\"r\":"
          + "{\"$regularExpression\":{\"pattern\":\"^a\",\"options\":\"i\"}}},\"limit\":"
          + "{\"$numberLong\":\"7\"},\"n\":{\"$numberDecimal\":\"1.5\"},\"b\":{\"$binary\":"
          + "{\"base64\":\"AAEC\",\"subType\":\"00\"}},\"$db\":\"d\"}";

  static final List<byte[]> VALID =
      List.of(
          Frames.msg(1, 0, COMMAND),
          Frames.summed(Frames.msg(2, 1, COMMAND)),
          Frames.query(3, "admin.$cmd", "{\"hello\":1}"),
          Frames.frame(
              4,
              Frames.MSG,
              Frames.int32(0),
              Frames.body("{\"insert\":\"c\",\"$db\":\"d\"}"),
              Frames.sequence("documents", "{\"a\":1}", "{\"b\":[1,2,{\"c\":3}]}")),
          packed(Compressor.NOOP),
          packed(Compressor.ZLIB),
          packed(Compressor.SNAPPY),
          packed(Compressor.ZSTD));

  private static byte[] packed(Compressor compressor) {
    byte[] plain = Frames.msg(5, 0, COMMAND);
    int length = plain.length - HEADER;
    byte[] body = new byte[compressor.maxCompressedLength(length)];
    int packed = compressor.compress(plain, HEADER, length, body, 0);
    return Frames.frame(
        5,
        Frames.COMPRESSED,
        Frames.int32(Frames.MSG),
        Frames.int32(length),
        new byte[] {(byte) compressor.number()},
        Arrays.copyOf(body, packed));
  }

  @Test
  void mutatedFramesAreDecodedOrRejected(Random random) {
    Mutations mutations = new Mutations(random);
    int read = 0;
    for (int i = 0; i < CHANGES; i++) {
      read += read(mutations.of(VALID.get(i % VALID.size())));
    }
    assertThat(read).as("some mutated frames are valid").isBetween(1, CHANGES);
  }

  @Test
  void mutatedDocumentsAreDecodedOrRejected(Random random) {
    Mutations mutations = new Mutations(random);
    byte[] valid = Frames.json(COMMAND).bytes();
    int read = 0;
    for (int i = 0; i < CHANGES; i++) {
      try {
        read += look(Document.of(mutations.of(valid), Limits.MONGO));
      } catch (ValueException refused) {
        assertThat(refused.reason()).isNotNull();
      }
    }
    assertThat(read).isPositive();
  }

  @Test
  void manySequencesAreDecodedInLinearTime() {
    byte[][] parts = new byte[50_002][];
    parts[0] = Frames.int32(0);
    parts[1] = Frames.body("{\"ping\":1}");
    for (int i = 2; i < parts.length; i++) {
      parts[i] = Frames.sequence(Integer.toString(i));
    }
    Message.Call call =
        (Message.Call)
            assertTimeoutPreemptively(
                Duration.ofSeconds(30), () -> Message.decode(Frames.frame(1, Frames.MSG, parts)));
    assertThat(call.sequences()).hasSize(50_000);
  }

  /** Reads frames until the first invalid one; returns the number of messages. */
  static int read(byte[] bytes) {
    FrameReader frames = new FrameReader(new ByteArrayInputStream(bytes));
    int messages = 0;
    try {
      for (byte[] frame = frames.next(); frame != null; frame = frames.next()) {
        look(Message.decode(frame));
        messages++;
      }
    } catch (WireException | IOException refused) {
      assertThat(refused).hasMessageMatching("(?s).+");
    }
    return messages;
  }

  private static void look(Message message) {
    switch (message) {
      case Message.Call call -> {
        look(call.body());
        call.sequences().values().forEach(all -> all.forEach(WireFuzzTest::look));
      }
      case Message.Query query -> look(query.body());
      case Message.Unreadable unreadable -> assertThat(unreadable.failure()).isNotNull();
    }
  }

  /** Reads every value: an accepted document is readable. */
  static int look(Document document) {
    assertThat(document.toString()).startsWith("{");
    Fields fields = document.fields();
    while (fields.next()) {
      assertThat(fields.name()).isNotNull();
      if (fields.type() == Type.OBJECT || fields.type() == Type.ARRAY) {
        look(fields.value().asDocument());
      }
    }
    return 1;
  }
}

package dev.mayfly.mongo.wire;

import static dev.mayfly.mongo.testing.Frames.body;
import static dev.mayfly.mongo.testing.Frames.frame;
import static dev.mayfly.mongo.testing.Frames.int32;
import static dev.mayfly.mongo.testing.Frames.json;
import static dev.mayfly.mongo.testing.Frames.msg;
import static dev.mayfly.mongo.testing.Frames.query;
import static dev.mayfly.mongo.testing.Frames.sequence;
import static dev.mayfly.mongo.testing.Frames.summed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.value.testing.SeedExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(SeedExtension.class)
final class MessageTest {
  private static final String PING = "{\"ping\":1,\"$db\":\"admin\"}";

  @Test
  void opMsgHasABodyAndSequencesInAnyOrder() {
    byte[] frame =
        frame(
            7,
            Frames.MSG,
            int32(0),
            sequence("documents", "{\"a\":1}", "{\"a\":2}"),
            body("{\"insert\":\"c\"}"),
            sequence("others"));
    Message.Call call = (Message.Call) Message.decode(frame);
    assertThat(call.requestId()).isEqualTo(7);
    assertThat(call.body()).isEqualTo(json("{\"insert\":\"c\"}"));
    assertThat(call.sequences().get("documents"))
        .containsExactly(json("{\"a\":1}"), json("{\"a\":2}"));
    assertThat(call.sequences().get("others")).isEmpty();
  }

  @Test
  void encodedCallsAreDecodedAgain() {
    for (int flags : new int[] {0, 2}) {
      Message.Call call =
          (Message.Call)
              Message.decode(
                  frame(
                      7,
                      Frames.MSG,
                      int32(flags),
                      body(PING),
                      sequence("documents", "{\"_id\":1}", "{\"_id\":2}")));
      assertThat(Message.decode(MessageEncoder.encode(call))).isEqualTo(call);
    }
  }

  @Test
  void documentsAreViewsOfTheFrame() {
    byte[] frame = msg(1, 0, PING);
    assertThat(((Message.Call) Message.decode(frame)).body().buffer()).isSameAs(frame);
  }

  @Test
  void flagsMoreToComeAndExhaustAllowedAreDecoded() {
    Message.Call plain = (Message.Call) Message.decode(msg(1, 0, PING));
    Message.Call flagged = (Message.Call) Message.decode(msg(1, 1 << 16 | 2, PING));
    assertThat(plain.silent() || plain.exhaust()).isFalse();
    assertThat(flagged.silent() && flagged.exhaust()).isTrue();
  }

  @Test
  void unknownRequiredFlagsFailOthersAreIgnored() {
    assertThatThrownBy(() -> Message.decode(msg(1, 4, PING))).isInstanceOf(WireException.class);
    assertThat(Message.decode(msg(1, 1 << 17, PING))).isInstanceOf(Message.Call.class);
  }

  @Test
  void checksumIsVerified() {
    byte[] frame = summed(msg(1, 1, PING));
    assertThat(((Message.Call) Message.decode(frame)).body()).isEqualTo(json(PING));
    frame[25] ^= 1;
    assertThatThrownBy(() -> Message.decode(frame)).isInstanceOf(WireException.class);
  }

  @Test
  void opQueryContainsItsCollection() {
    Message.Query query = (Message.Query) Message.decode(query(3, "admin.$cmd", PING));
    assertThat(query.collection()).isEqualTo("admin.$cmd");
    assertThat(query.body()).isEqualTo(json(PING));
  }

  @Test
  void invalidBsonInAValidFrameIsUnreadable() {
    byte[] frame = msg(9, 0, PING);
    frame[frame.length - 1] = 1;
    assertThat(Message.decode(frame)).isInstanceOf(Message.Unreadable.class);
    assertThat(Message.decode(frame).requestId()).isEqualTo(9);
  }

  @Test
  void invalidFramesFail() {
    byte[][] frames = {
      frame(1, 1234),
      frame(1, Frames.MSG),
      frame(1, Frames.MSG, int32(0)),
      frame(1, Frames.MSG, int32(1)),
      frame(1, Frames.MSG, int32(0), body(PING), body(PING)),
      frame(1, Frames.MSG, int32(0), new byte[] {2}),
      frame(1, Frames.MSG, int32(0), new byte[] {1, 9, 9, 9, 9}),
      frame(1, Frames.MSG, int32(0), new byte[] {1, 5, 0, 0, 0, 'a'}),
      frame(1, Frames.MSG, int32(0), body(PING), sequence("a"), sequence("a")),
      frame(1, Frames.QUERY, int32(0), new byte[] {'a'}),
      frame(1, Frames.COMPRESSED, int32(Frames.MSG), int32(-1), new byte[] {0}),
      frame(1, Frames.COMPRESSED, int32(Frames.MSG), int32(9), new byte[] {0, 1}),
      frame(1, Frames.COMPRESSED, int32(Frames.MSG), int32(9), new byte[] {7, 1}),
      frame(1, Frames.COMPRESSED, int32(Frames.COMPRESSED), int32(0), new byte[] {0}),
      frame(1, Frames.COMPRESSED),
    };
    for (byte[] frame : frames) {
      assertThatThrownBy(() -> Message.decode(frame)).isInstanceOf(WireException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void compressedMessagesAreDecompressed(Compressor compressor) throws IOException {
    Reply reply = new Reply();
    reply.body().put("text", "again and ".repeat(1000));
    Message request = new Message.Unreadable(5, compressor, noFailure());
    byte[] packed = bytes(reply.pack(request, 5, false));
    byte[] frame = new FrameReader(new ByteArrayInputStream(packed)).next();
    Message.Call back = (Message.Call) Message.decode(java.util.Objects.requireNonNull(frame));
    assertThat(back.compressor()).isEqualTo(compressor);
    assertThat(Message.size(frame)).isGreaterThan(10_000);
    assertThat(back.body().field("text").asString()).isEqualTo("again and ".repeat(1000));
    assertThat(compressor == Compressor.NOOP || frame.length < 2000).isTrue();
  }

  private static byte[] bytes(ByteBuffer packed) {
    byte[] bytes = new byte[packed.remaining()];
    packed.get(bytes);
    return bytes;
  }

  private static dev.mayfly.value.ValueException noFailure() {
    return new dev.mayfly.value.ValueException(
        dev.mayfly.value.ValueException.Reason.MALFORMED, "");
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void damagedMessagesAreDecodedOrRejected(Compressor compressor, Random random)
      throws IOException {
    Reply reply = new Reply();
    reply.body().put("text", "again and ".repeat(20)).startArray("a").startDocument().end().end();
    byte[] packed = bytes(reply.pack(new Message.Unreadable(5, compressor, noFailure()), 5, false));
    for (int i = 0; i < 2000; i++) {
      byte[] frame = packed.clone();
      for (int damage = random.nextInt(1, 4); damage > 0; damage--) {
        frame[random.nextInt(12, frame.length)] = (byte) random.nextInt();
      }
      byte[] cut = Arrays.copyOf(frame, random.nextInt(16, frame.length + 1));
      tryToDecode(random.nextBoolean() ? frame : cut);
    }
  }

  /** Fails unless the frame is decoded or rejected by a {@link WireException}. */
  private static void tryToDecode(byte[] frame) {
    try {
      assertThat(Message.decode(frame)).isNotNull();
    } catch (WireException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
    }
  }
}

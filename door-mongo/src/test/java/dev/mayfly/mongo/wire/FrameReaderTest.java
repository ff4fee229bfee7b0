package dev.mayfly.mongo.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.value.testing.SeedExtension;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class FrameReaderTest {
  /** A stream that returns a random number of bytes per read, as a network does. */
  private static final class RandomReads extends InputStream {
    private final InputStream source;
    private final Random random;

    RandomReads(byte[] bytes, Random random) {
      this.source = new ByteArrayInputStream(bytes);
      this.random = random;
    }

    @Override
    public int read() throws IOException {
      return source.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return source.read(target, offset, Math.min(length, random.nextInt(1, 40_000)));
    }
  }

  @Test
  void framesAreReadWhateverTheReadSizes(Random random) throws IOException {
    List<byte[]> frames = new ArrayList<>();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 60; i++) {
      int size = random.nextInt(10) == 0 ? random.nextInt(900_000) : random.nextInt(17_000);
      byte[] content = new byte[size];
      random.nextBytes(content);
      frames.add(Frames.frame(i, Frames.MSG, content));
      all.writeBytes(frames.getLast());
    }
    FrameReader reader = new FrameReader(new RandomReads(all.toByteArray(), random));
    for (byte[] frame : frames) {
      assertThat(reader.next()).isEqualTo(frame);
    }
    assertThat(reader.next()).isNull();
  }

  @Test
  void invalidLengthsFail() {
    for (int length : new int[] {0, 15, -1, 48_000_001, Integer.MAX_VALUE}) {
      FrameReader reader = new FrameReader(new ByteArrayInputStream(Frames.int32(length)));
      assertThatThrownBy(reader::next).isInstanceOf(WireException.class);
    }
  }

  @Test
  void streamThatEndsInsideAFrameFails() {
    byte[] whole = Frames.msg(1, 0, "{\"ping\":1}");
    for (int length = 1; length < whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      FrameReader reader = new FrameReader(new ByteArrayInputStream(cut));
      assertThatThrownBy(reader::next).isInstanceOf(WireException.class);
    }
    FrameReader large = new FrameReader(new ByteArrayInputStream(Frames.int32(48_000_000)));
    assertThatThrownBy(large::next).isInstanceOf(WireException.class);
  }
}

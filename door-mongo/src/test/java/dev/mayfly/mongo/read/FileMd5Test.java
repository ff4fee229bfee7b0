package dev.mayfly.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code filemd5}: the digest of a GridFS file. */
final class FileMd5Test {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private void chunk(String root, int number, String base64) {
    shell.run(
        "{'insert':'"
            + root
            + ".chunks','documents':[{'files_id':1,'n':"
            + number
            + ",'data':{'$binary':{'base64':'"
            + base64
            + "','subType':'00'}}}]}");
  }

  @Test
  void digestCoversAllChunksInOrder() {
    chunk("fs", 1, "bG8=");
    chunk("fs", 0, "aGVs");
    chunk("other", 0, "aGVs");
    assertThat(shell.replyText("{'filemd5':1,'root':'fs'}"))
        .isEqualTo("{'numChunks':2,'md5':'5d41402abc4b2a76b9719d911017c592'}");
    assertThat(shell.replyText("{'filemd5':1}")).contains("'numChunks':2");
    assertThat(shell.replyText("{'filemd5':1,'root':'other'}")).contains("'numChunks':1");
  }

  @Test
  void missingFileHasTheDigestOfNoBytes() {
    String nothing = "{'numChunks':0,'md5':'d41d8cd98f00b204e9800998ecf8427e'}";
    assertThat(shell.replyText("{'filemd5':1,'root':'fs'}")).isEqualTo(nothing);
    chunk("fs", 0, "aGVs");
    assertThat(shell.replyText("{'filemd5':2,'root':'fs'}")).isEqualTo(nothing);
  }

  @Test
  void invalidChunksFail() {
    chunk("fs", 1, "bG8=");
    assertThat(shell.error("{'filemd5':1}")).isEqualTo("10040 chunks out of order");
    shell.run("{'insert':'x.chunks','documents':[{'files_id':1,'n':0,'data':'text'}]}");
    assertThat(shell.error("{'filemd5':1,'root':'x'}")).startsWith("50849 ");
  }
}

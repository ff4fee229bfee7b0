package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.hybridrow.RecordIo;
import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several operations in one request. */
final class BatchTest {
  private static final String DOCS = Shop.DOCS;
  private static final String X = Shop.pk("x");

  private final Shop shop = Shop.inMemory();

  @BeforeEach
  void begin() {
    shop.container("{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'}}");
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void operationsSeeEarlierOnesOfTheBatch() {
    Answer answer =
        atomic(
            "{'operationType':'Create','resourceBody':{'id':'1','pk':'x','n':1}}",
            "{'operationType':'Patch','id':'1',"
                + "'resourceBody':{'operations':[{'op':'incr','path':'/n','value':1}]}}",
            "{'operationType':'Read','id':'1'}",
            "{'operationType':'Replace','id':'1','resourceBody':{'id':'1','pk':'x','n':7}}",
            "{'operationType':'Upsert','resourceBody':{'id':'2','pk':'x'}}",
            "{'operationType':'Upsert','resourceBody':{'id':'2','pk':'x','n':5}}",
            "{'operationType':'Delete','id':'1'}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.statuses()).containsExactly(201, 200, 200, 200, 201, 200, 204);
    Document read = result(answer, 2);
    assertThat(read.field("resourceBody").asDocument().field("n")).isEqualTo(Value.of(2L));
    assertThat(read.field("eTag"))
        .isEqualTo(read.field("resourceBody").asDocument().field("_etag"));
    assertThat(read.field("requestCharge").asDouble()).isPositive();
    assertThat(shop.get(DOCS).ids()).containsExactly("2");
    assertThat(Double.parseDouble(answer.header("x-ms-request-charge"))).isGreaterThan(20);
  }

  @Test
  void oneFailureRollsBackTheBatch() {
    shop.send("POST", DOCS, "{'id':'1','pk':'x'}", X);
    Answer answer =
        atomic(
            "{'operationType':'Create','resourceBody':{'id':'2','pk':'x'}}",
            "{'operationType':'Delete','id':'1'}",
            "{'operationType':'Create','resourceBody':{'id':'2','pk':'x'}}",
            "{'operationType':'Create','resourceBody':{'id':'3','pk':'x'}}");
    assertThat(answer.status()).isEqualTo(207);
    assertThat(answer.statuses()).containsExactly(424, 424, 409, 424);
    assertThat(shop.get(DOCS).ids()).containsExactly("1");
  }

  @Test
  void aReplacementInABatchMayHaveAnotherId() {
    shop.send("POST", DOCS, "{'id':'1','pk':'x'}", X);
    String rename = "{'operationType':'Replace','id':'1','resourceBody':{'id':'2','pk':'x'}}";
    Answer taken = atomic("{'operationType':'Create','resourceBody':{'id':'2','pk':'x'}}", rename);
    assertThat(taken.statuses()).containsExactly(424, 409);
    assertThat(shop.get(DOCS).ids()).containsExactly("1");
    Answer done = atomic(rename, "{'operationType':'Read','id':'2'}");
    assertThat(done.statuses()).containsExactly(200, 200);
    assertThat(result(done, 1).field("resourceBody"))
        .isEqualTo(result(done, 0).field("resourceBody"));
    String key = "{'partitionKey':'[\\\"x\\\"]',";
    String back = key + "'operationType':'Replace','id':'2','resourceBody':{'id':'1','pk':'x'}}";
    assertThat(bulk("true", back, back).statuses()).containsExactly(200, 404);
    assertThat(shop.get(DOCS).ids()).containsExactly("1");
  }

  @Test
  void ifMatchAppliesInABatch() {
    String etag = shop.send("POST", DOCS, "{'id':'1','pk':'x','n':1}", X).header("etag");
    String quoted = Json.write(Value.of(etag));
    Answer stale =
        atomicRaw(
            "[{\"operationType\":\"Replace\",\"id\":\"1\",\"ifMatch\":\"\\\"other\\\"\","
                + "\"resourceBody\":{\"id\":\"1\",\"pk\":\"x\"}}]");
    assertThat(stale.statuses()).containsExactly(412);
    Answer known =
        atomicRaw("[{\"operationType\":\"Read\",\"id\":\"1\",\"ifNoneMatch\":" + quoted + "}]");
    assertThat(known.statuses()).containsExactly(304);
    Answer fresh =
        atomicRaw("[{\"operationType\":\"Delete\",\"id\":\"1\",\"ifMatch\":" + quoted + "}]");
    assertThat(fresh.statuses()).containsExactly(204);
  }

  @Test
  void allOperationsAreOnOnePartitionKey() {
    Answer answer =
        atomic(
            "{'operationType':'Create','resourceBody':{'id':'1','pk':'x'}}",
            "{'operationType':'Create','resourceBody':{'id':'2','pk':'y'}}");
    assertThat(answer.statuses()).containsExactly(424, 400);
    assertThat(result(answer, 1).field("subStatusCode")).isEqualTo(Value.of(1001L));
    assertThat(shop.get(DOCS).ids()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"True", "False"})
  void aBatchWithAnIncompleteKeyIsRejected(String atomic) {
    Answer answer =
        shop.send(
            "POST",
            DOCS,
            "[{'operationType':'Create','resourceBody':{'id':'1','pk':'x'}}]",
            Shop.key("[]"),
            "x-ms-cosmos-is-batch-request: True",
            "x-ms-cosmos-batch-atomic: " + atomic);
    assertThat(answer.status()).isEqualTo(400);
    Answer single = shop.send("POST", DOCS, "{'id':'1','pk':'x'}", Shop.key("[]"));
    assertThat(answer.string("message").lines().findFirst())
        .isEqualTo(single.string("message").lines().findFirst());
    assertThat(shop.get(DOCS).ids()).isEmpty();
  }

  @Test
  void operationsOfABulkRequestAreIndependent() {
    Answer answer =
        bulk(
            "true",
            "{'operationType':'Create','partitionKey':'[\\\"x\\\"]',"
                + "'resourceBody':{'id':'1','pk':'x'}}",
            "{'operationType':'Create','partitionKey':'[\\\"y\\\"]',"
                + "'resourceBody':{'id':'1','pk':'y'}}",
            "{'operationType':'Create','partitionKey':'[\\\"x\\\"]',"
                + "'resourceBody':{'id':'1','pk':'x'}}",
            "{'operationType':'Delete','partitionKey':'[\\\"z\\\"]','id':'9'}",
            "{'operationType':'Read','partitionKey':'[\\\"y\\\"]','id':'1'}");
    assertThat(answer.status()).isEqualTo(207);
    assertThat(answer.statuses()).containsExactly(201, 201, 409, 404, 200);
    assertThat(shop.get(DOCS).ids()).containsExactly("1", "1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'operationType':'Nonsense','id':'9'}", "{'id':'9'}", "5"})
  void anUnknownOperationTypeRejectsTheRequest(String unknown) {
    String create = "{'operationType':'Create','resourceBody':{'id':'1','pk':'x'}}";
    for (String goesOn : List.of("true", "false")) {
      assertThat(bulk(goesOn, create, unknown).status()).isEqualTo(400);
    }
    assertThat(atomic(create, unknown).status()).isEqualTo(400);
    assertThat(shop.get(DOCS).ids()).isEmpty();
  }

  @Test
  void aBulkRequestMayStopAtTheFirstFailure() {
    Answer answer =
        bulk(
            "false",
            "{'operationType':'Create','partitionKey':'[\\\"x\\\"]',"
                + "'resourceBody':{'id':'1','pk':'x'}}",
            "{'operationType':'Delete','partitionKey':'[\\\"x\\\"]','id':'9'}",
            "{'operationType':'Delete','partitionKey':'[\\\"x\\\"]','id':'1'}");
    assertThat(answer.statuses()).containsExactly(201, 404, 424);
  }

  @Test
  void minimalResponsesContainNoItems() {
    Answer answer =
        atomic(
            "{'operationType':'Create','minimalReturnPreference':true,"
                + "'resourceBody':{'id':'1','pk':'x'}}",
            "{'operationType':'Create','resourceBody':{'id':'2','pk':'x'}}");
    assertThat(result(answer, 0).field("resourceBody").isMissing()).isTrue();
    assertThat(result(answer, 0).field("eTag").isMissing()).isFalse();
    assertThat(result(answer, 1).field("resourceBody").isMissing()).isFalse();
  }

  @Test
  void aBatchHasOneToAHundredOperations() {
    String[] reads = new String[101];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = "{'operationType':'Upsert','resourceBody':{'id':'" + i + "','pk':'x'}}";
    }
    assertThat(atomic(reads).status()).isEqualTo(400);
    assertThat(atomic(java.util.Arrays.copyOf(reads, 100)).status()).isEqualTo(200);
    assertThat(atomic().status()).isEqualTo(400);
    Answer notJson = atomicRaw("\u0081binary");
    assertThat(notJson.status()).isEqualTo(400);
    assertThat(notJson.text()).contains("A batch must be a JSON array of operations");
  }

  private static Document result(Answer answer, int place) {
    byte[] json = answer.text().getBytes(StandardCharsets.UTF_8);
    return Json.parseValue(json, Limits.COSMOS)
        .asDocument()
        .field(Integer.toString(place))
        .asDocument();
  }

  private Answer atomic(String... operations) {
    return atomicRaw("[" + String.join(",", operations).replace('\'', '"') + "]");
  }

  private Answer atomicRaw(String body) {
    return shop.send(
        "POST",
        DOCS,
        body,
        X,
        "x-ms-cosmos-is-batch-request: true",
        "x-ms-cosmos-batch-atomic: true");
  }

  private Answer bulk(String goesOn, String... operations) {
    return shop.send(
        "POST",
        DOCS,
        "[" + String.join(",", operations) + "]",
        "x-ms-cosmos-is-batch-request: true",
        "x-ms-cosmos-batch-atomic: false",
        "x-ms-documentdb-partitionkeyrangeid: 0",
        "x-ms-cosmos-batch-continue-on-error: " + goesOn);
  }

  /**
   * Returns an operation of a batch in HybridRow: its type, and the bytes after its fixed fields.
   */
  private static byte[] row(int kind, int present, String rest) {
    byte[] more = HexFormat.of().parseHex(rest);
    return ByteBuffer.allocate(14 + more.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 0x81)
        .putInt(2_145_473_648)
        .put((byte) present)
        .putInt(kind)
        .putInt(2)
        .put(more)
        .array();
  }

  private static String sized(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().toHexDigits((byte) utf8.length) + HexFormat.of().formatHex(utf8);
  }

  private static byte[] creating(String item) {
    return row(0, 0b100_0011, sized(item.replace('\'', '"')));
  }

  private static byte[] reading(String id) {
    return row(2, 0b001_0011, sized(id));
  }

  private Answer rows(String headers, byte[]... rows) {
    return shop.raw(
        "POST",
        DOCS,
        RecordIo.write(List.of(rows)),
        X,
        "x-ms-cosmos-is-batch-request: True",
        headers);
  }

  private static List<Integer> codes(Answer answer) {
    assertThat(answer.header("content-type")).isEqualTo("application/octet-stream");
    return RecordIo.read(answer.response().body(), 100).stream()
        .map(row -> ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).getInt(6))
        .toList();
  }

  @Test
  void aBatchInHybridRowIsAnsweredInHybridRow() {
    Answer answer =
        rows("x-ms-cosmos-batch-atomic: True", creating("{'id':'1','pk':'x'}"), reading("1"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(codes(answer)).containsExactly(201, 200);
    byte[] read = RecordIo.read(answer.response().body(), 100).getLast();
    assertThat(new String(read, StandardCharsets.UTF_8))
        .contains("\"id\":\"1\",\"pk\":\"x\",\"_rid\"");
    assertThat(shop.get(DOCS).ids()).containsExactly("1");
  }

  @Test
  void oneFailureRollsBackAHybridRowBatch() {
    Answer answer =
        rows("x-ms-cosmos-batch-atomic: True", creating("{'id':'1','pk':'x'}"), reading("2"));
    assertThat(answer.status()).isEqualTo(207);
    assertThat(codes(answer)).containsExactly(424, 404);
    assertThat(shop.get(DOCS).ids()).isEmpty();
  }

  @Test
  void hybridRowBatchesMayContinueOnError() {
    Answer answer =
        rows(
            "x-ms-cosmos-batch-continue-on-error: True",
            reading("1"),
            creating("{'id':'1','pk':'x'}"),
            creating("{'id':'2','pk':'y'}"));
    assertThat(answer.status()).isEqualTo(207);
    assertThat(codes(answer)).containsExactly(404, 201, 400);
  }

  @Test
  void tooManyRowsAreRejected() {
    byte[][] many = new byte[101][];
    Arrays.fill(many, reading("1"));
    assertThat(rows("x-ms-cosmos-batch-atomic: True", many).status()).isEqualTo(400);
  }

  @Test
  void anEmptyOrKeylessBatchIsRejected() {
    String[] atomic = {"x-ms-cosmos-is-batch-request: true", "x-ms-cosmos-batch-atomic: true"};
    Answer keyless = shop.send("POST", DOCS, "[{'operationType':'Read','id':'1'}]", atomic);
    assertThat(keyless.status()).isEqualTo(400);
    assertThat(keyless.string("message")).contains("PartitionKey value must be supplied");
    Answer empty = atomic();
    assertThat(empty.status()).isEqualTo(400);
    assertThat(empty.string("message")).contains("does not have any operations");
  }
}

package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mayfly.value.ValueException.Reason;
import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.ByteBuffer;
import java.util.Random;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended JSON, version 2; the oracle is MongoDB's own library. */
@ExtendWith(SeedExtension.class)
final class ExtendedJsonTest {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'$numberInt':'1'} | 1",
        "{'$numberInt':'-2147483648'} | -2147483648",
        "{'$numberLong':'9007199254740993'} | 9007199254740993",
        "{'$numberDouble':'1.0'} | 1.0",
        "{'$numberDouble':'-0.0'} | -0.0",
        "{'$date':{'$numberLong':'0'}} | {'$date':'1970-01-01T00:00:00Z'}",
        "{'$date':{'$numberLong':'1356351330501'}} | {'$date':'2012-12-24T12:15:30.501Z'}",
        "{'$date':{'$numberLong':'253402300799999'}} | {'$date':'9999-12-31T23:59:59.999Z'}",
        "{'$code':'f','$scope':{'a':{'$numberInt':'1'}}} | {'$code':'f','$scope':{'a':1}}",
        "[{'$numberInt':'1'},null,true] | [1,null,true]",
        "{'a':{'$numberInt':'1'},'$b':{}} | {'a':1,'$b':{}}",
        "{'$ref':'c','$id':{'$numberInt':'1'}} | {'$ref':'c','$id':1}",
      })
  void bothFormsAreReadAndWritten(String canonical, String relaxed) {
    Value value = parse(canonical);
    assertThat(ExtendedJson.canonical(value)).isEqualTo(canonical.replace('\'', '"'));
    assertThat(ExtendedJson.relaxed(value)).isEqualTo(relaxed.replace('\'', '"'));
    assertThat(parse(relaxed)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$numberDouble':'NaN'}",
        "{'$numberDouble':'-Infinity'}",
        "{'$numberDecimal':'-1.20E+3'}",
        "{'$numberDecimal':'NaN'}",
        "{'$oid':'00ff0102030405060708090a'}",
        "{'$date':{'$numberLong':'-1'}}",
        "{'$date':{'$numberLong':'253402300800000'}}",
        "{'$binary':{'base64':'AQI=','subType':'80'}}",
        "{'$binary':{'base64':'AQI=','subType':'02'}}",
        "{'$timestamp':{'t':4294967295,'i':7}}",
        "{'$regularExpression':{'pattern':'a','options':'i'}}",
        "{'$dbPointer':{'$ref':'n','$id':{'$oid':'00ff0102030405060708090a'}}}",
        "{'$code':'f'}",
        "{'$symbol':'s'}",
        "{'$undefined':true}",
        "{'$minKey':1}",
        "{'$maxKey':1}",
        "{'$regex':'a','$options':'i'}"
      })
  void typesThatJsonLacksHaveOneForm(String json) {
    bothFormsAreReadAndWritten(json, json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'$binary':{'subType':'4','base64':'AQI='}} |"
            + " {'$binary':{'base64':'AQI=','subType':'04'}}",
        "{'$scope':{},'$code':'f'} | {'$code':'f','$scope':{}}",
        "{'$date':'1970-01-01T01:00:00.001+01:00'} | {'$date':{'$numberLong':'1'}}",
        "{'$date':5} | {'$date':{'$numberLong':'5'}}",
        "{'$timestamp':{'i':1,'t':2}} | {'$timestamp':{'t':2,'i':1}}",
        "2147483648 | {'$numberLong':'2147483648'}",
        "9223372036854775808 | {'$numberDouble':'9.223372036854775807E18'}",
      })
  void otherFormsOfTheSameValueAreReadToo(String other, String canonical) {
    assertThat(parse(other)).isEqualTo(parse(canonical));
  }

  @Test
  void aUuidIsABinaryOfSubtypeFour() {
    assertThat(parse("{'$uuid':'00112233-4455-6677-8899-aabbccddeeff'}"))
        .isEqualTo(parse("{'$binary':{'base64':'ABEiM0RVZneImaq7zN3u/w==','subType':'04'}}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$numberInt':1}",
        "{'$numberInt':'1.5'}",
        "{'$numberInt':'2147483648'}",
        "{'$numberInt':'1','a':2}",
        "{'$numberLong':'9223372036854775808'}",
        "{'$numberLong':''}",
        "{'$numberDouble':'1d'}",
        "{'$numberDouble':'0x1p3'}",
        "{'$numberDouble':true}",
        "{'$numberDecimal':'x'}",
        "{'$numberDecimal':'1.00000000000000000000000000000000001'}",
        "{'$numberDecimal':'1E+6145'}",
        "{'$numberDecimal':'1E99999999999'}",
        "{'$oid':'0'}",
        "{'$oid':'zz0000000000000000000000'}",
        "{'$date':'yesterday'}",
        "{'$date':{'$numberInt':'1'}}",
        "{'$date':[]}",
        "{'$binary':'AQI='}",
        "{'$binary':{'base64':'AQI='}}",
        "{'$binary':{'base64':'?','subType':'00'}}",
        "{'$binary':{'base64':'','subType':'000'}}",
        "{'$binary':{'base64':'','subType':'00','x':1}}",
        "{'$uuid':'1-1-1-1-1'}",
        "{'$timestamp':{'t':-1,'i':0}}",
        "{'$timestamp':{'t':4294967296,'i':0}}",
        "{'$timestamp':{'t':'1','i':0}}",
        "{'$regularExpression':{'pattern':'a'}}",
        "{'$dbPointer':{'$ref':'a','$id':'b'}}",
        "{'$code':1}",
        "{'$code':'a','$scope':1}",
        "{'$code':'a','x':{}}",
        "{'$scope':{}}",
        "{'$scope':{},'$code':'a','x':1}",
        "{'$undefined':false}",
        "{'$minKey':2}",
      })
  void aWrapperThatIsNotWholeAndCorrectIsRefused(String json) {
    ValueException e = catchThrowableOfType(ValueException.class, () -> parse("[" + json + "]"));
    assertThat(e.reason()).isEqualTo(Reason.NOT_JSON);
    assertThat(e.position()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":", "{\"$code\":\"\",\"$scope\":{\"a\":", "{\"$binary\":{\"a\":", "["})
  void depthIsLimitedWithoutUsingTheStack(String level) {
    ValueException e =
        catchThrowableOfType(
            ValueException.class,
            () -> ExtendedJson.parseValue(level.repeat(100_000), Limits.MONGO));
    assertThat(e.reason()).isEqualTo(Reason.TOO_DEEP);
  }

  @Test
  void wrappersDoNotCountAsLevels() {
    String deepest = "[".repeat(180) + "{\"$binary\":{\"base64\":\"\",\"subType\":\"00\"}}";
    Value value = ExtendedJson.parseValue(deepest + "]".repeat(180), Limits.MONGO);
    assertThat(Document.of(value.asDocument().bytes(), Limits.MONGO).isEmpty()).isFalse();
  }

  @Test
  void canonicalFormLosesNothing(Random random) {
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 5_000; i++) {
      Document document = values.document(3);
      String json = ExtendedJson.canonical(document);
      Document back = ExtendedJson.parse(json, Limits.MONGO);
      assertThat(ExtendedJson.canonical(back)).isEqualTo(json);
      assertThat(Order.MONGO.compare(Value.of(back), Value.of(document))).as(json).isZero();
    }
  }

  @Test
  void theOriginalLibraryReadsWhatWeWrite(Random random) {
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 5_000; i++) {
      Document document = shown(values.document(3));
      BsonDocument theirs = decode(document.bytes());
      assertThat(BsonDocument.parse(ExtendedJson.canonical(document))).isEqualTo(theirs);
    }
  }

  @Test
  void weReadWhatTheOriginalLibraryWrites(Random random) {
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 5_000; i++) {
      BsonDocument theirs = decode(shown(values.document(3)).bytes());
      for (JsonMode mode : new JsonMode[] {JsonMode.EXTENDED, JsonMode.RELAXED}) {
        String json = theirs.toJson(JsonWriterSettings.builder().outputMode(mode).build());
        assertThat(ExtendedJson.parse(json, Limits.MONGO))
            .as(json)
            .isEqualTo(Document.trusted(encode(BsonDocument.parse(json))));
      }
    }
  }

  /** The document as text can show it: without the bits of a NaN and digits no decimal has. */
  private static Document shown(Document document) {
    return ExtendedJson.parse(ExtendedJson.canonical(document), Limits.MONGO);
  }

  private static Value parse(String json) {
    return ExtendedJson.parseValue(json.replace('\'', '"'), Limits.MONGO);
  }

  private static BsonDocument decode(byte[] bytes) {
    try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(bytes))) {
      return CODEC.decode(reader, DecoderContext.builder().build());
    }
  }

  private static byte[] encode(BsonDocument document) {
    try (BasicOutputBuffer buffer = new BasicOutputBuffer();
        BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      CODEC.encode(writer, document, EncoderContext.builder().build());
      return buffer.toByteArray();
    }
  }
}

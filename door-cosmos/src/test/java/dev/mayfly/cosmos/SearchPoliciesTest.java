package dev.mayfly.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies for vectors and full texts: stored, returned, and validated as in Cosmos DB. */
final class SearchPoliciesTest {
  private static final String EMBEDDING = "{'path': '/v', 'dimensions': 256}";
  private static final String INDEX = "{'path': '/v', 'type': 'diskANN'}";

  private final Desk desk = Desk.open();

  @BeforeEach
  void makeDatabase() {
    desk.post("/dbs", "{\"id\": \"library\"}");
  }

  @AfterEach
  void close() {
    desk.close();
  }

  private static String body(String properties) {
    return ("{'id': 'books', " + properties + "}").replace('\'', '"');
  }

  private static String vectors(String embedding, String index) {
    String embeddings = "'vectorEmbeddingPolicy': {'vectorEmbeddings': [" + embedding + "]}";
    return body(embeddings + ", 'indexingPolicy': {'vectorIndexes': [" + index + "]}");
  }

  private Answer make(String body) {
    return desk.post("/dbs/library/colls", body);
  }

  private static void assertRefused(Answer answer, String text) {
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.string("message")).contains(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'path': '/v'}
          {'path': '/v', 'dataType': 'float32', 'dimensions': 256, 'distanceFunction': 'euclidean'}
          {'path': '/v', 'dataType': 'uint8', 'dimensions': 4096, 'distanceFunction': 'dotproduct'}
          """)
  void vectorEmbeddingPoliciesAreStored(String embedding) {
    Answer made = make(vectors(embedding, INDEX));
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.string("vectorEmbeddingPolicy.vectorEmbeddings.0.path")).isEqualTo("/v");
    assertThat(made.string("indexingPolicy.vectorIndexes.0.type")).isEqualTo("diskANN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'path': '/v', 'dataType': 'float33'} | has an invalid DataType:float33
          {'path': '/v', 'dimensions': 8000} | has Dimensions:8000 which is more than the maximum
          {'path': '/v', 'dimensions': -1} | has Dimensions:-1
          {'path': '/v', 'distanceFunction': 'handMeasured'} | invalid DistanceFunction:handMeasured
          {'path': '/v/'} | has an invalid Path:/v/. Specify the correct path for vector properties
          """)
  void invalidVectorEmbeddingsAreRejected(String embedding, String text) {
    assertRefused(make(vectors(embedding, INDEX)), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'path': '/w', 'type': 'flat'} | path::/w not matching in Embedding's path
          {'path': '/v', 'type': 'notFlat'} | Index Type::notFlat is invalid
          {'path': '/v', 'quantizationByteSize': 0} | ByteSize value :: 0 is out of range
          {'path': '/v', 'indexingSearchListSize': 5} | The allowed range is between 25 and 500.
          {'path': '/v', 'vectorIndexShardKey': ['country']} | has an invalid Shard Path: country.
          {'path': '/v', 'vectorIndexShardKey': ['/a', '/b']} | Policy: 2 exceeds the maximum: 1.
          """)
  void invalidVectorIndexesAreRejected(String index, String text) {
    assertRefused(make(vectors(EMBEDDING, index)), text);
  }

  @Test
  void vectorPathsMayBeAddedAndRemovedButNotChanged() {
    make(vectors(EMBEDDING, INDEX));
    String container = "/dbs/library/colls/books";
    assertRefused(
        desk.put(container, vectors("{'path': '/v', 'dimensions': 384}", INDEX)),
        "Paths in existing embedding policy cannot be modified in Collection Replace");
    assertRefused(
        desk.put(container, vectors(EMBEDDING, "{'path': '/v', 'type': 'flat'}")),
        "Paths in existing vector indexing policy cannot be modified in Collection Replace");
    String more = EMBEDDING + ", {'path': '/w', 'dimensions': 8}";
    assertThat(desk.put(container, vectors(more, INDEX)).status()).isEqualTo(200);
    assertThat(desk.put(container, body("'defaultTtl': 60")).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'fullTextPaths': [{'path': 'text'}]} | {} | contains an invalid Path: text
          {'defaultLanguage': 'spa-SPA'} | {} | contains an unsupported language spa-SPA.
          {'fullTextPaths': [{'path': '/t', 'language': 'x'}]} | {} | an unsupported language x.
          {} | {'path': 'text'} | specification at index (0) contains invalid path
          {} | {'not_path': '/text'} | Missing path in full-text index specification at index (0)
          """)
  void invalidFullTextPoliciesAreRejected(String policy, String index, String text) {
    String indexes = index.equals("{}") ? "" : index;
    String indexing = "'indexingPolicy': {'fullTextIndexes': [" + indexes + "]}";
    assertRefused(make(body("'fullTextPolicy': " + policy + ", " + indexing)), text);
  }

  @Test
  void aFullTextPolicyIsStored() {
    String policy = "{'defaultLanguage': 'en-US', 'fullTextPaths': [{'path': '/text'}]}";
    String indexes = "{'fullTextIndexes': [{'path': '/text'}]}";
    Answer made = make(body("'fullTextPolicy': " + policy + ", 'indexingPolicy': " + indexes));
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.string("fullTextPolicy.defaultLanguage")).isEqualTo("en-US");
    assertThat(made.string("indexingPolicy.fullTextIndexes.0.path")).isEqualTo("/text");
  }
}

package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Validates vector embeddings and vector indexes as Cosmos DB does. They have no effect here, but
 * errors in them are reported.
 */
public final class VectorPolicies {
  private static final String EMBEDDINGS = "vectorEmbeddings";
  private static final String INDEXES = "vectorIndexes";
  private static final String SHARD_KEY = "vectorIndexShardKey";
  private static final List<String> DATA_TYPES = List.of("float32", "float16", "int8", "uint8");
  private static final List<String> DISTANCES = List.of("cosine", "euclidean", "dotproduct");
  private static final List<String> INDEX_TYPES = List.of("flat", "quantizedFlat", "diskANN");
  private static final int DEFAULT_DIMENSIONS = 1536;
  private static final int MAX_DIMENSIONS = 4096;
  private static final int MAX_QUANTIZATION_BYTES = 512;
  private static final int MIN_SEARCH_LIST = 25;
  private static final int MAX_SEARCH_LIST = 500;

  private VectorPolicies() {}

  /**
   * Validates the vector policies of a new definition.
   *
   * @throws CosmosException 400
   */
  public static void check(ContainerDefinition definition) {
    Document body = definition.form();
    Map<String, Integer> dimensions = new HashMap<>();
    for (Value element : embeddings(body)) {
      Document embedding = Elements.object(element, EMBEDDINGS);
      dimensions.put(path(embedding), checkEmbedding(embedding));
    }
    for (Value element : indexes(body)) {
      checkIndex(Elements.object(element, INDEXES), dimensions);
    }
  }

  /**
   * Checks that a replacement only adds or removes embeddings and indexes.
   *
   * @throws CosmosException 400
   */
  static void checkReplaced(Document before, Document after) {
    checkUnchanged(embeddings(before), embeddings(after), "embedding policy");
    checkUnchanged(indexes(before), indexes(after), "vector indexing policy");
  }

  private static void checkUnchanged(List<Value> before, List<Value> after, String policy) {
    for (Value old : before) {
      Optional<Value> now =
          after.stream()
              .filter(element -> path(element.asDocument()).equals(path(old.asDocument())))
              .findFirst();
      if (now.isPresent() && !now.get().equals(old)) {
        throw CosmosException.wrong(
            "Paths in existing "
                + policy
                + " cannot be modified in Collection Replace."
                + " They can only be added or removed.");
      }
    }
  }

  private static List<Value> embeddings(Document body) {
    String policy = "vectorEmbeddingPolicy";
    return Elements.of(Elements.object(body.field(policy), policy), EMBEDDINGS);
  }

  private static List<Value> indexes(Document body) {
    String policy = "indexingPolicy";
    return Elements.of(Elements.object(body.field(policy), policy), INDEXES);
  }

  private static String path(Document form) {
    Value path = form.field("path");
    return path.type() == Type.STRING ? path.asString() : "";
  }

  /** Returns the dimensions of the embedding. */
  private static int checkEmbedding(Document embedding) {
    String policy = "The Vector Embedding Policy has ";
    String path = path(embedding);
    if (!path.startsWith("/") || path.endsWith("/")) {
      throw CosmosException.wrong(
          policy
              + "an invalid Path:"
              + path
              + ". Specify the correct path for vector properties of your documents.");
    }
    checkWord(embedding.field("dataType"), DATA_TYPES, policy + "an invalid DataType:", ".");
    checkWord(
        embedding.field("distanceFunction"),
        DISTANCES,
        policy + "an invalid DistanceFunction:",
        ".");
    int dimensions = number(embedding.field("dimensions"), DEFAULT_DIMENSIONS);
    if (dimensions < 1) {
      throw CosmosException.wrong(
          policy
              + "Dimensions:"
              + dimensions
              + " which is less than the minimum supported value: 1.");
    }
    if (dimensions > MAX_DIMENSIONS) {
      throw CosmosException.wrong(
          policy
              + "Dimensions:"
              + dimensions
              + " which is more than the maximum supported value: "
              + MAX_DIMENSIONS
              + ".");
    }
    return dimensions;
  }

  private static void checkIndex(Document index, Map<String, Integer> dimensions) {
    Integer known = dimensions.get(path(index));
    if (known == null) {
      throw CosmosException.wrong(
          "The Vector Indexing Policy's path::"
              + path(index)
              + " not matching in Embedding's path.");
    }
    checkWord(
        index.field("type"),
        INDEX_TYPES,
        "The Vector Indexing Policy's Index Type::",
        " is invalid.");
    checkRange(
        index.field("quantizationByteSize"),
        "QuantizationByteSize",
        1,
        Math.min(known, MAX_QUANTIZATION_BYTES));
    checkRange(
        index.field("indexingSearchListSize"),
        "IndexingSearchListSize",
        MIN_SEARCH_LIST,
        MAX_SEARCH_LIST);
    checkShardKey(index);
  }

  private static void checkShardKey(Document index) {
    List<Value> paths = Elements.of(index, SHARD_KEY);
    if (paths.size() > 1) {
      throw CosmosException.wrong(
          "The number of shard paths defined in the Vector Indexing Policy: "
              + paths.size()
              + " exceeds the maximum: 1.");
    }
    for (Value path : paths) {
      if (path.type() != Type.STRING || !path.asString().startsWith("/")) {
        throw CosmosException.wrong(
            "The Vector Indexing Policy has an invalid Shard Path: " + text(path) + ".");
      }
    }
  }

  /** Accepts words in any case: it is not known whether Cosmos DB does. */
  private static void checkWord(Value word, List<String> known, String before, String after) {
    if (!Elements.absent(word) && known.stream().noneMatch(text(word)::equalsIgnoreCase)) {
      throw CosmosException.wrong(before + text(word) + after);
    }
  }

  private static void checkRange(Value value, String name, int min, int max) {
    int number = number(value, max);
    if (number < min || number > max) {
      throw CosmosException.wrong(
          "The Vector Indexing Policy parameter "
              + name
              + " value :: "
              + number
              + " is out of range. The allowed range is between "
              + min
              + " and "
              + max
              + ".");
    }
  }

  private static int number(Value value, int standard) {
    if (Elements.absent(value)) {
      return standard;
    }
    if (!value.isNumber()) {
      throw CosmosException.wrong("One of the specified inputs is invalid");
    }
    return Math.clamp(value.asLong(), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static String text(Value value) {
    return value.type() == Type.STRING ? value.asString() : value.toString();
  }
}

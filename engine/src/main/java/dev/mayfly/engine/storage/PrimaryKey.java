package dev.mayfly.engine.storage;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyReader;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Primary key of a document: partition key values, then the id, in key encoding. The key of its
 * record. Immutable.
 */
public final class PrimaryKey {
  /** Maximum length of a primary key: well above the limits of both protocols. */
  private static final int MAX_LENGTH = 16 * 1024;

  private final byte[] bytes;
  private final int partitionLength;
  private final byte[] exact;

  private PrimaryKey(byte[] bytes, int partitionLength, byte[] exact) {
    this.bytes = bytes;
    this.partitionLength = partitionLength;
    this.exact = exact;
  }

  public static PrimaryKey of(CollectionSpec spec, Document document) {
    List<FieldPath> paths = spec.partitionKey();
    List<Value> partition = paths.isEmpty() ? List.of() : DocumentKey.partition(document, paths);
    return encode(spec, partition, document.at(spec.dialect().id()));
  }

  public static PrimaryKey of(CollectionSpec spec, DocumentKey key) {
    if (key.partition().size() != spec.partitionKey().size()) {
      throw new EngineException(
          Reason.BAD_KEY,
          "the number of partition key values differs from the collection's partition key");
    }
    return encode(spec, key.partition(), key.id());
  }

  private static PrimaryKey encode(CollectionSpec spec, List<Value> partition, Value id) {
    checkId(spec, id);
    KeyWriter writer = new KeyWriter();
    boolean exact = KeyReader.roundTrips(id);
    for (Value value : partition) {
      if (value.isDocument() || value.isArray()) {
        throw new EngineException(Reason.BAD_KEY, "invalid partition key value: must be a scalar");
      }
      exact &= KeyReader.roundTrips(value);
      writer.append(value, spec.dialect().order());
    }
    int partitionLength = writer.length();
    writer.append(id, spec.dialect().order());
    if (writer.length() > MAX_LENGTH) {
      throw new EngineException(Reason.BAD_KEY, "id and partition key are longer than 16 KB");
    }
    return new PrimaryKey(
        writer.bytes(), partitionLength, exact ? new byte[0] : spell(partition, id).bytes());
  }

  private static void checkId(CollectionSpec spec, Value id) {
    boolean fits =
        switch (spec.dialect()) {
          case MONGO ->
              !id.isMissing()
                  && !id.isArray()
                  && id.type() != Type.REGEX
                  && id.type() != Type.UNDEFINED;
          case COSMOS -> id.type() == Type.STRING && id.length() > 5;
        };
    if (!fits) {
      throw new EngineException(
          Reason.BAD_KEY, "invalid document id: missing, or of a type that an id cannot have");
    }
  }

  /** The key with exact types, for values whose type the key encoding does not preserve. */
  private static Document spell(List<Value> partition, Value id) {
    var writer = Document.writer().put("id", id);
    for (int i = 0; i < partition.size(); i++) {
      if (!partition.get(i).isMissing()) {
        writer.put(Integer.toString(i), partition.get(i));
      }
    }
    return writer.build();
  }

  public byte[] bytes() {
    return bytes;
  }

  /** Returns the shard of the key: by the partition key, or by the id if there is none. */
  public int shardOf(int shards) {
    if (shards == 1) {
      return 0;
    }
    int length = partitionLength > 0 ? partitionLength : bytes.length;
    int hash = 0x811C9DC5;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ (bytes[i] & 0xFF)) * 0x01000193;
    }
    hash ^= hash >>> 16;
    return Math.floorMod(hash * 0x85EBCA6B, shards);
  }

  /** The length of the partition key values at the start. */
  public int partitionLength() {
    return partitionLength;
  }

  /** The key with exact types; empty if the encoded key can be decoded exactly. */
  public byte[] spelled() {
    return exact;
  }

  /** Decodes a document key. */
  static DocumentKey read(CollectionSpec spec, byte[] key, byte[] spelled) {
    int parts = spec.partitionKey().size();
    List<Value> partition = new ArrayList<>(parts);
    if (spelled.length > 0) {
      Document full = Document.trusted(spelled);
      for (int i = 0; i < parts; i++) {
        partition.add(full.field(Integer.toString(i)));
      }
      return new DocumentKey(partition, full.field("id"));
    }
    KeyReader reader = new KeyReader(key, 0);
    for (int i = 0; i < parts; i++) {
      partition.add(reader.read());
    }
    return new DocumentKey(partition, reader.read());
  }
}

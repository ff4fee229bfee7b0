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

/** A document key in its stored form: partition key values, then the id, in key encoding. */
public final class PrimaryKey {
  /** How many bytes a primary key may have: well above what both protocols allow. */
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
      throw new EngineException(Reason.BAD_KEY, "the partition key has another number of values");
    }
    return encode(spec, key.partition(), key.id());
  }

  private static PrimaryKey encode(CollectionSpec spec, List<Value> partition, Value id) {
    checkId(spec, id);
    KeyWriter writer = new KeyWriter();
    boolean exact = KeyReader.roundTrips(id);
    for (Value value : partition) {
      if (value.isDocument() || value.isArray()) {
        throw new EngineException(Reason.BAD_KEY, "a partition key is a scalar");
      }
      exact &= KeyReader.roundTrips(value);
      writer.append(value, spec.dialect().order());
    }
    int partitionLength = writer.length();
    writer.append(id, spec.dialect().order());
    if (writer.length() > MAX_LENGTH) {
      throw new EngineException(Reason.BAD_KEY, "the id and partition key are too long");
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
      throw new EngineException(Reason.BAD_KEY, "the id is missing or cannot be one");
    }
  }

  /** The key in full, for values whose type the key encoding does not keep. */
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

  /** How many leading bytes are the partition key values. */
  public int partitionLength() {
    return partitionLength;
  }

  /** The spelled key, empty when the encoded key can be read back exactly. */
  public byte[] spelled() {
    return exact;
  }

  /** Reads a document key back from its stored form. */
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

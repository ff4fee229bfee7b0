package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ConnectionString;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoWriteException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import com.mongodb.client.result.UpdateResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Common operations of the official Java driver. */
final class SyncDriverTest {
  @AutoClose private static final ServerProcess SERVER = ServerProcess.inMemory();
  @AutoClose private static final MongoClient CLIENT = SERVER.client();

  private final MongoDatabase database = CLIENT.getDatabase("java");

  private MongoCollection<Document> collection(String name) {
    return database.getCollection(name);
  }

  @Test
  void documentsAreInsertedFoundUpdatedAndDeleted() {
    MongoCollection<Document> carts = collection("carts");
    carts.insertOne(Document.parse("{_id: 1, user: 'ada', items: [{sku: 'a', n: 1}], total: 10}"));
    carts.insertMany(
        List.of(
            Document.parse("{_id: 2, user: 'bob', items: [], total: 20.5}"),
            Document.parse("{_id: 3, user: 'cy', items: [{sku: 'b', n: 2}, {sku: 'c', n: 3}]}")));

    UpdateResult updated =
        carts.updateOne(
            Filters.and(Filters.eq("user", "cy"), Filters.eq("items.sku", "c")),
            Updates.combine(Updates.inc("items.$.n", 5), Updates.set("total", 30)));
    assertThat(updated.getModifiedCount()).isEqualTo(1);
    assertThat(carts.find(Filters.eq("user", "cy")).first())
        .isEqualTo(
            Document.parse(
                "{_id: 3, user: 'cy', items: [{sku: 'b', n: 2}, {sku: 'c', n: 8}], total: 30}"));
    assertThat(
            carts
                .find(Filters.gte("total", 20))
                .projection(
                    Projections.fields(Projections.include("user"), Projections.excludeId()))
                .sort(Sorts.descending("total"))
                .into(new ArrayList<>()))
        .containsExactly(new Document("user", "cy"), new Document("user", "bob"));
    assertThat(carts.countDocuments(Filters.size("items", 0))).isEqualTo(1);
    assertThat(carts.estimatedDocumentCount()).isEqualTo(3);
    assertThat(carts.distinct("items.sku", String.class).into(new ArrayList<>()))
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(carts.deleteMany(Filters.lt("total", 25)).getDeletedCount()).isEqualTo(2);
    assertThat(carts.findOneAndDelete(Filters.empty())).containsEntry("user", "cy");
    assertThat(carts.find().first()).isNull();
  }

  @Test
  void upsertInsertsMissingDocuments() {
    MongoCollection<Document> counters = collection("counters");
    FindOneAndUpdateOptions upsert =
        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
    for (int i = 1; i <= 3; i++) {
      assertThat(counters.findOneAndUpdate(Filters.eq("_id", "hits"), Updates.inc("n", 1), upsert))
          .containsEntry("n", i);
    }
    UpdateResult replaced =
        counters.replaceOne(
            Filters.eq("name", "new"),
            new Document("name", "new").append("n", 0),
            new ReplaceOptions().upsert(true));
    assertThat(replaced.getUpsertedId()).isInstanceOf(BsonObjectId.class);
  }

  @Test
  void cursorReturnsManyBatches() {
    MongoCollection<Document> many = collection("many");
    many.insertMany(
        IntStream.range(0, 5_000)
            .mapToObj(i -> new Document("_id", i).append("even", i % 2 == 0))
            .toList());
    List<Integer> ids = new ArrayList<>();
    try (MongoCursor<Document> cursor =
        many.find(Filters.eq("even", true))
            .sort(Sorts.ascending("_id"))
            .batchSize(100)
            .iterator()) {
      assertThat(cursor.getServerCursor()).isNotNull();
      cursor.forEachRemaining(document -> ids.add(document.getInteger("_id")));
    }
    assertThat(ids).isEqualTo(IntStream.range(0, 2_500).mapToObj(i -> 2 * i).toList());
    assertThat(many.find().skip(10).limit(5).sort(Sorts.descending("_id")).into(new ArrayList<>()))
        .extracting(document -> document.getInteger("_id"))
        .containsExactly(4989, 4988, 4987, 4986, 4985);
  }

  @Test
  void pipelineUnwindsGroupsAndJoins() {
    collection("skus").insertOne(Document.parse("{_id: 'a', name: 'Apple'}"));
    collection("orders")
        .insertMany(
            List.of(
                Document.parse("{lines: [{sku: 'a', n: 2}, {sku: 'b', n: 1}]}"),
                Document.parse("{lines: [{sku: 'a', n: 3}]}")));
    List<Document> rows =
        collection("orders")
            .aggregate(
                List.of(
                    Aggregates.unwind("$lines"),
                    Aggregates.group("$lines.sku", Accumulators.sum("n", "$lines.n")),
                    Aggregates.lookup("skus", "_id", "_id", "known"),
                    Aggregates.sort(Sorts.ascending("_id"))))
            .into(new ArrayList<>());
    assertThat(rows)
        .containsExactly(
            Document.parse("{_id: 'a', n: 5, known: [{_id: 'a', name: 'Apple'}]}"),
            Document.parse("{_id: 'b', n: 1, known: []}"));
  }

  @Test
  void uniqueIndexRejectsADuplicateAndNamesIt() {
    MongoCollection<Document> logins = collection("logins");
    logins.createIndex(Indexes.ascending("email"), new IndexOptions().unique(true));
    logins.insertOne(new Document("email", "a@b.c"));
    assertThatThrownBy(() -> logins.insertOne(new Document("email", "a@b.c")))
        .isInstanceOfSatisfying(
            MongoWriteException.class,
            refused -> {
              assertThat(refused.getError().getCode()).isEqualTo(11000);
              assertThat(refused.getError().getMessage()).contains("java.logins", "email_1");
            });
    assertThatThrownBy(
            () ->
                logins.findOneAndUpdate(
                    Filters.eq("_id", 1),
                    Updates.set("email", "a@b.c"),
                    new FindOneAndUpdateOptions().upsert(true)))
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            refused -> {
              assertThat(refused.getErrorCode()).isEqualTo(11000);
              assertThat(refused.getResponse().getDocument("keyValue"))
                  .isEqualTo(BsonDocument.parse("{email: 'a@b.c'}"));
            });
  }

  @Test
  void collectionBulkWriteReportsEachResult() {
    MongoCollection<Document> bulk = collection("bulk");
    BulkWriteResult result =
        bulk.bulkWrite(
            List.of(
                new InsertOneModel<>(new Document("_id", 1).append("n", 1)),
                new UpdateOneModel<>(Filters.eq("_id", 1), Updates.inc("n", 1)),
                new UpdateOneModel<>(
                    Filters.eq("_id", 2), Updates.set("n", 9), new UpdateOptions().upsert(true)),
                new DeleteManyModel<>(Filters.lt("n", 5))));
    assertThat(result.getInsertedCount()).isEqualTo(1);
    assertThat(result.getModifiedCount()).isEqualTo(1);
    assertThat(result.getUpserts()).hasSize(1);
    assertThat(result.getDeletedCount()).isEqualTo(1);
    MongoBulkWriteException refused =
        catchThrowableOfType(
            MongoBulkWriteException.class,
            () ->
                bulk.bulkWrite(
                    List.of(
                        new InsertOneModel<>(new Document("_id", 3)),
                        new InsertOneModel<>(new Document("_id", 3)),
                        new InsertOneModel<>(new Document("_id", 4))),
                    new BulkWriteOptions().ordered(false)));
    assertThat(refused.getWriteErrors()).extracting("index").containsExactly(1);
    assertThat(refused.getWriteResult().getInsertedCount()).isEqualTo(2);
  }

  @Test
  void clientBulkWriteWritesSeveralCollections() {
    MongoNamespace left = new MongoNamespace("java", "left");
    MongoNamespace right = new MongoNamespace("java2", "right");
    ClientBulkWriteResult result =
        CLIENT.bulkWrite(
            List.of(
                ClientNamespacedWriteModel.insertOne(left, new Document("_id", 1)),
                ClientNamespacedWriteModel.insertOne(right, new Document("_id", 1).append("n", 1)),
                ClientNamespacedWriteModel.updateOne(
                    right, Filters.eq("_id", 1), Updates.inc("n", 41)),
                ClientNamespacedWriteModel.deleteOne(left, Filters.eq("_id", 1))),
            ClientBulkWriteOptions.clientBulkWriteOptions().verboseResults(true));
    assertThat(result.getInsertedCount()).isEqualTo(2);
    assertThat(result.getModifiedCount()).isEqualTo(1);
    assertThat(result.getDeletedCount()).isEqualTo(1);
    assertThat(result.getVerboseResults().orElseThrow().getInsertResults()).containsOnlyKeys(0, 1);
    assertThat(collection("left").countDocuments()).isZero();
    assertThat(CLIENT.getDatabase("java2").getCollection("right").find().first())
        .containsEntry("n", 42);
  }

  @Test
  void gridFsStoresAndReturnsFiles() {
    GridFSBucket bucket = GridFSBuckets.create(database, "files");
    byte[] bytes = new byte[100_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    ObjectId id =
        bucket.uploadFromStream(
            "noise.bin",
            new ByteArrayInputStream(bytes),
            new GridFSUploadOptions().chunkSizeBytes(4096).metadata(new Document("kind", "noise")));
    ByteArrayOutputStream back = new ByteArrayOutputStream();
    bucket.downloadToStream("noise.bin", back);
    assertThat(back.toByteArray()).isEqualTo(bytes);
    assertThat(collection("files.chunks").countDocuments(Filters.eq("files_id", id))).isEqualTo(25);
    bucket.delete(id);
    assertThat(collection("files.chunks").countDocuments()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"snappy, 1", "zlib, 2", "zstd, 3"})
  void driverChoosesTheCompressor(String compressor, int number) {
    String text = "a line that comes again and again\n".repeat(5_000);
    try (ReplyCuttingProxy proxy = new ReplyCuttingProxy(SERVER)) {
      MongoClientSettings settings =
          MongoClientSettings.builder()
              .applyConnectionString(
                  new ConnectionString(proxy.uri() + "&compressors=" + compressor))
              .build();
      try (MongoClient client = MongoClients.create(settings)) {
        MongoCollection<Document> texts =
            client.getDatabase("java").getCollection("texts-" + compressor);
        texts.insertOne(new Document("_id", 1).append("text", text));
        assertThat(texts.find().first()).containsEntry("text", text);
      }
      assertThat(proxy.compressors()).isEqualTo(Set.of(number));
    }
  }
}

package dev.mayfly.bench;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;

/** A server that speaks MongoDB's protocol, with the official driver. */
final class MongoServer implements DoorServer {
  private static final Set<DoorOperation> ECHOED =
      Set.of(
          DoorOperation.INSERT, DoorOperation.SCATTERED, DoorOperation.FIND, DoorOperation.UPDATE);
  private static final Set<DoorOperation> JOURNALED =
      Set.of(DoorOperation.JOURNALED_INSERT, DoorOperation.JOURNALED_UPDATE);

  /** Which operations a server can do. */
  enum Ability {
    ALL,
    /** All except journaled writes: it keeps everything in memory. */
    IN_MEMORY,
    /** It has one reply to a query, and stores nothing. */
    ECHO
  }

  private final ServerProcess process;
  private final Ability ability;
  private final DoorOrders numbers;
  private final MongoClient client;

  MongoServer(ServerProcess process, Ability ability, DoorOrders numbers) {
    this.process = process;
    this.ability = ability;
    this.numbers = numbers;
    this.client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(process.connectionString()))
                .build());
  }

  private MongoCollection<Document> orders() {
    return client.getDatabase("bench").getCollection("orders");
  }

  /** The same documents, for operations that change them. */
  private MongoCollection<Document> updated() {
    return client.getDatabase("bench").getCollection("updated");
  }

  private MongoCollection<Document> inserted() {
    return client.getDatabase("bench").getCollection("inserted");
  }

  @Override
  public void load() {
    if (ability != Ability.ECHO) {
      load(orders());
      load(updated());
    }
  }

  private void load(MongoCollection<Document> orders) {
    orders.createIndex(Indexes.ascending("amount"));
    for (int from = 0; from < numbers.documents(); from += DoorOrders.LOAD_BATCH) {
      int to = Math.min(from + DoorOrders.LOAD_BATCH, numbers.documents());
      orders.insertMany(IntStream.range(from, to).mapToObj(this::stored).toList());
    }
  }

  private Document stored(int number) {
    return order(number, numbers.amount(number)).append("_id", Workload.id(number));
  }

  private static Document order(long number, long amount) {
    return new Document("status", DoorOrders.status(number))
        .append("amount", amount)
        .append("visits", 0)
        .append("customer", DoorOrders.customer(number))
        .append("at", Instant.ofEpochMilli(DoorOrders.millis(number)))
        .append("note", Workload.note());
  }

  private boolean able(DoorOperation operation) {
    return switch (ability) {
      case ALL -> true;
      case IN_MEMORY -> !JOURNALED.contains(operation);
      case ECHO -> ECHOED.contains(operation);
    };
  }

  @Override
  public Optional<Load.Work> work(DoorOperation operation) {
    return able(operation) ? Optional.of(possible(operation)) : Optional.empty();
  }

  private Load.Work possible(DoorOperation operation) {
    MongoCollection<Document> orders = orders();
    MongoCollection<Document> updated = updated();
    MongoCollection<Document> inserted = inserted();
    return switch (operation) {
      case INSERT -> insert(inserted);
      case JOURNALED_INSERT -> insert(inserted.withWriteConcern(WriteConcern.JOURNALED));
      case SCATTERED -> random -> inserted.insertOne(scattered(random));
      case BULK -> random -> inserted.insertMany(bulk(random));
      case FIND -> random -> expect(1, orders, any(random));
      case TEN -> random -> expect(DoorOrders.TEN, orders, range(random, DoorOrders.TEN));
      case UPDATE -> update(updated);
      case JOURNALED_UPDATE -> update(updated.withWriteConcern(WriteConcern.JOURNALED));
      case RANGE -> random -> expect(DoorOrders.RANGE, orders, range(random, DoorOrders.RANGE));
      case GROUP -> _ -> group(orders);
      case REGROUP -> _ -> group(updated);
    };
  }

  private Load.Work insert(MongoCollection<Document> inserted) {
    return random ->
        inserted.insertOne(order(random.nextInt(numbers.documents()), random.nextInt()));
  }

  private Load.Work update(MongoCollection<Document> updated) {
    return random ->
        DoorOrders.expect(1, updated.updateOne(any(random), visit(random)).getMatchedCount());
  }

  private static void expect(long wanted, MongoCollection<Document> collection, Bson filter) {
    DoorOrders.expect(wanted, collection.find(filter).into(new ArrayList<>()).size());
  }

  private void group(MongoCollection<Document> collection) {
    DoorOrders.expect(
        numbers.groups(), collection.aggregate(grouping()).into(new ArrayList<>()).size());
  }

  private Bson any(Random random) {
    return Filters.eq("_id", numbers.any(random));
  }

  private static Bson visit(Random random) {
    return Updates.combine(
        Updates.inc("visits", 1), Updates.set("customer", DoorOrders.anyCustomer(random)));
  }

  private Document scattered(Random random) {
    return order(random.nextInt(numbers.documents()), random.nextInt())
        .append("_id", Workload.scattered(random.nextLong()));
  }

  private List<Document> bulk(Random random) {
    return Stream.generate(() -> scattered(random)).limit(DoorOrders.BULK).toList();
  }

  private Bson range(Random random, int length) {
    long from = numbers.from(random, length);
    return Filters.and(Filters.gte("amount", from), Filters.lt("amount", from + length));
  }

  private static List<Bson> grouping() {
    return List.of(
        Aggregates.group(
            "$status", Accumulators.sum("count", 1), Accumulators.sum("amount", "$amount")));
  }

  @Override
  public void dropInserted() {
    inserted().drop();
  }

  @Override
  public Duration processorTime() {
    return process.processorTime();
  }

  @Override
  public double allocatedBytes() {
    return process.allocatedBytes();
  }

  @Override
  public void close() throws IOException {
    client.close();
    process.close();
  }
}

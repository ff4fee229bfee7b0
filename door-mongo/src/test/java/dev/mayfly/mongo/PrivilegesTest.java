package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.mql.parser.StageNames;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The privileges that every command and stage requires and that every built-in role has, as in
 * MongoDB's manual. A command or stage that is not listed here fails the test.
 */
final class PrivilegesTest {
  private static final String STAGES = "privileges-of-stages.txt";

  private static final String READ =
      "changeStream collStats dbHash dbStats find killCursors listCollections listIndexes"
          + " listSearchIndexes planCacheRead";
  private static final String READ_WRITE =
      READ
          + " convertToCapped createCollection createIndex createSearchIndexes dropCollection"
          + " dropIndex dropSearchIndex insert remove renameCollectionSameDB update"
          + " updateSearchIndex";
  private static final String DB_ADMIN =
      "bypassDocumentValidation collMod collStats compact convertToCapped createCollection"
          + " createIndex dbStats dropCollection dropDatabase dropIndex enableProfiler"
          + " listCollections listIndexes listSearchIndexes planCacheIndexFilter planCacheRead"
          + " planCacheWrite reIndex renameCollectionSameDB storageDetails validate";
  private static final String USER_ADMIN =
      "changeCustomData changePassword createRole createUser dropRole dropUser grantRole"
          + " revokeRole setAuthenticationRestriction viewRole viewUser";
  private static final String RESTORE =
      "bypassDocumentValidation collMod convertToCapped createCollection createIndex"
          + " dropCollection insert";

  /** Roles of the database d, and of admin: on which resource they allow what. */
  private static final Map<String, List<String>> ROLES =
      Map.ofEntries(
          Map.entry("read", List.of("d|" + READ, "d.system.js|" + READ)),
          Map.entry("readWrite", List.of("d|" + READ_WRITE, "d.system.js|" + READ_WRITE)),
          Map.entry(
              "dbAdmin",
              List.of(
                  "d|" + DB_ADMIN,
                  "d.system.profile|convertToCapped createCollection dropCollection " + READ)),
          Map.entry("userAdmin", List.of("d|" + USER_ADMIN)),
          Map.entry("dbOwner", List.of("+readWrite", "+dbAdmin", "+userAdmin")),
          Map.entry(
              "readAnyDatabase",
              List.of("*|" + READ, "*.system.js|" + READ, "cluster|listDatabases")),
          Map.entry(
              "readWriteAnyDatabase",
              List.of("*|" + READ_WRITE, "*.system.js|" + READ_WRITE, "cluster|listDatabases")),
          Map.entry(
              "dbAdminAnyDatabase",
              List.of(
                  "*|" + DB_ADMIN,
                  "*.system.profile|convertToCapped createCollection dropCollection " + READ,
                  "cluster|listDatabases")),
          Map.entry(
              "userAdminAnyDatabase",
              List.of(
                  "*|" + USER_ADMIN,
                  "config|" + USER_ADMIN,
                  "local|" + USER_ADMIN,
                  "admin.system.users|createIndex dropIndex " + READ,
                  "admin.system.roles|createIndex dropIndex " + READ,
                  "admin.system.version|" + READ,
                  "cluster|invalidateUserCache listDatabases viewUser")),
          Map.entry(
              "clusterMonitor",
              List.of(
                  "cluster|connPoolStats getCmdLineOpts getDefaultRWConcern getLog getParameter"
                      + " hostInfo inprog listDatabases listSessions listShards netstat"
                      + " replSetGetConfig replSetGetStatus serverStatus top",
                  "*|collStats dbStats indexStats",
                  "config|indexStats " + READ,
                  "config.system.js|" + READ,
                  "config.system.sessions|collStats dbStats indexStats",
                  "local|indexStats " + READ,
                  "local.system.js|" + READ,
                  "*.system.profile|find")),
          Map.entry(
              "clusterManager",
              List.of(
                  "cluster|appendOplogNote getDefaultRWConcern listSessions listShards"
                      + " replSetConfigure replSetGetConfig replSetGetStatus replSetStateChange"
                      + " setDefaultRWConcern setFeatureCompatibilityVersion",
                  "config|insert remove update " + READ,
                  "config.system.js|" + READ,
                  "local|insert remove update")),
          Map.entry(
              "hostManager",
              List.of(
                  "cluster|fsync invalidateUserCache killAnyCursor killAnySession killop logRotate"
                      + " setParameter shutdown unlock",
                  "*|killCursors")),
          Map.entry(
              "clusterAdmin",
              List.of("+clusterMonitor", "+clusterManager", "+hostManager", "*|dropDatabase")),
          Map.entry(
              "backup",
              List.of(
                  "any|collStats listCollections listIndexes listSearchIndexes",
                  "*|find",
                  "config|find",
                  "local|find",
                  "*.system.js|find",
                  "*.system.profile|find",
                  "*.system.users|find",
                  "admin.system.roles|find",
                  "admin.system.version|find",
                  "config.settings|insert update",
                  "cluster|appendOplogNote getParameter listDatabases serverStatus"
                      + " setUserWriteBlockMode")),
          Map.entry(
              "restore",
              List.of(
                  "any|listCollections",
                  "*|" + RESTORE,
                  "*|" + USER_ADMIN,
                  "config|" + RESTORE,
                  "local|" + RESTORE,
                  "*.system.js|" + RESTORE,
                  "*.system.users|find remove update " + RESTORE,
                  "admin.system.roles|createIndex",
                  "admin.system.version|find " + RESTORE,
                  "cluster|bypassWriteBlockingMode getParameter setUserWriteBlockMode")),
          Map.entry(
              "root",
              List.of(
                  "+clusterAdmin",
                  "+userAdminAnyDatabase",
                  "+dbAdminAnyDatabase",
                  "+readWriteAnyDatabase",
                  "+backup",
                  "+restore",
                  "any|validate")));

  private static final Set<String> OF_ONE_DATABASE =
      Set.of("read", "readWrite", "dbAdmin", "userAdmin", "dbOwner");
  private static final Identity ROOT = new Identity("admin", "boss");
  private static final Identity CLERK = new Identity("u", "clerk");

  private final ManualClock clock = new ManualClock(Shell.START);
  private final MemoryStore store = MemoryStore.withFilters();
  private Engine engine;
  private Dispatcher dispatcher;

  /** A command, and the alternatives of which it needs one. */
  record Row(String database, String command, List<List<String>> needs) {
    @Override
    public String toString() {
      return database + " " + command;
    }
  }

  private static Row row(String database, String command, String needs) {
    List<List<String>> alternatives = new ArrayList<>();
    for (String alternative : needs.split(" or ", -1)) {
      alternatives.add(
          Arrays.stream(alternative.split(",", -1)).filter(one -> !one.isEmpty()).toList());
    }
    return new Row(database, command, alternatives);
  }

  static List<Row> rows() {
    Stream<Row> commands =
        lines("privileges-of-commands.txt").map(parts -> row(parts[0], parts[1], parts[2]));
    Stream<Row> stages = lines(STAGES).map(parts -> stage(parts[0], parts[1], parts[2]));
    Row cluster =
        row(
            "admin",
            "{'aggregate':1,'pipeline':[{'$changeStream':{'allChangesForCluster':true}}],"
                + "'cursor':{}}",
            "find@*,changeStream@*");
    return Stream.of(commands, stages, Stream.of(cluster)).flatMap(rows -> rows).toList();
  }

  private static Stream<String[]> lines(String resource) {
    try (InputStream stream =
        Objects.requireNonNull(PrivilegesTest.class.getResourceAsStream(resource))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\\|", -1));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Row stage(String over, String stage, String needs) {
    String database =
        over.equals("1") && !stage.contains("$changeStream") && !stage.contains("$documents")
            ? "admin"
            : "d";
    return row(
        database, "{'aggregate':" + over + ",'pipeline':[" + stage + "],'cursor':{}}", needs);
  }

  static List<String> roles() {
    return ROLES.keySet().stream().sorted().toList();
  }

  @BeforeEach
  void open() {
    engine = LocalEngine.open(store, clock, EngineSettings.standard(() -> 0).withBackground(false));
    MongoSettings settings =
        MongoSettings.standard(() -> 0)
            .withLogin(Login.ALWAYS)
            .withWork(CommandSettings.STANDARD.withTestCommands());
    MongoFrontend frontend = MongoFrontend.of(engine, settings);
    dispatcher = new Dispatcher(frontend, MongoBackends.single(new MongoBackend(frontend, engine)));
    frontend.users().add(ROOT, "p", Shell.json("{'r':['root']}").field("r"));
    run("d", "{'insert':'c','documents':[{'_id':1}]}");
    run("d", "{'create':'v','viewOn':'c','pipeline':[]}");
    run("d", "{'createUser':'m','pwd':'p','roles':[]}");
    run("d", "{'createRole':'q','privileges':[],'roles':[]}");
    run("admin", "{'createRole':'own','privileges':[],'roles':[]}");
    run("u", "{'createUser':'clerk','pwd':'p','roles':[{'role':'own','db':'admin'}]}");
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Document reply(Identity user, String database, String command) {
    Client client = new Client(1, "10.0.0.1:50000", "127.0.0.1:27017");
    client.identity(Optional.of(user));
    Document body =
        Shell.json(command.substring(0, command.length() - 1) + ",'$db':'" + database + "'}");
    DocumentWriter reply = Document.writer();
    dispatcher.answer(
        client, new Message.Call(1, Compressor.NOOP, false, false, body, Map.of()), reply);
    return reply.build();
  }

  private void run(String database, String command) {
    Document reply = reply(ROOT, database, command);
    assertThat(reply.field("ok").asDouble()).as(reply.toString()).isEqualTo(1);
  }

  private boolean may(Identity user, Row row) {
    Document reply = reply(user, row.database(), row.command());
    return reply.field("ok").asDouble() == 1 || reply.field("code").asInt() != 13;
  }

  private void clerkHas(List<String> privileges) {
    String granted =
        privileges.stream().map(PrivilegesTest::syntax).collect(Collectors.joining(","));
    run("admin", "{'updateRole':'own','privileges':[" + granted + "]}");
  }

  private static String syntax(String privilege) {
    String action = privilege.substring(0, privilege.indexOf('@'));
    String on = privilege.substring(privilege.indexOf('@') + 1);
    int dot = on.indexOf('.');
    String resource =
        switch (on) {
          case "cluster" -> "{'cluster':true}";
          case "*" -> "{'db':'','collection':''}";
          default ->
              "{'db':'"
                  + (dot < 0 ? on : on.substring(0, dot))
                  + "','collection':'"
                  + on.substring(dot < 0 ? on.length() : dot + 1)
                  + "'}";
        };
    return "{'resource':" + resource + ",'actions':['" + action + "']}";
  }

  @ParameterizedTest
  @MethodSource("rows")
  void commandRequiresExactlyTheListedPrivileges(Row row) {
    boolean anybody = row.needs().contains(List.of());
    assertThat(may(CLERK, row)).as("with nothing").isEqualTo(anybody);
    for (List<String> enough : row.needs()) {
      for (String left : enough) {
        clerkHas(enough.stream().filter(one -> !one.equals(left)).toList());
        assertThat(may(CLERK, row)).as("without " + left).isFalse();
      }
      clerkHas(enough);
      assertThat(may(CLERK, row)).as("with " + enough).isTrue();
    }
  }

  @Test
  void everyCommandIsListed() {
    Set<String> written = new TreeSet<>(List.of("explain", "aggregate"));
    rows().forEach(row -> written.add(first(Shell.json(row.command()))));
    Set<String> missing = new TreeSet<>();
    Fields commands =
        reply(ROOT, "admin", "{'listCommands':1}").field("commands").asDocument().fields();
    while (commands.next()) {
      missing.add(commands.name());
    }
    assertThat(missing).hasSizeGreaterThan(100);
    missing.removeAll(written);
    assertThat(missing).isEmpty();
  }

  @Test
  void everyStageIsListed() {
    Set<String> written =
        lines(STAGES).map(parts -> first(Shell.json(parts[1]))).collect(Collectors.toSet());
    assertThat(written).isEqualTo(StageNames.all());
  }

  private static String first(Document document) {
    Fields fields = document.fields();
    fields.next();
    return fields.name();
  }

  @ParameterizedTest
  @MethodSource("roles")
  void builtinRoleHasExactlyTheListedPrivileges(String role) {
    String database = OF_ONE_DATABASE.contains(role) ? "d" : "admin";
    run(
        "u",
        "{'createUser':'x','pwd':'p','roles':[{'role':'" + role + "','db':'" + database + "'}]}");
    List<String> privileges = privileges(role).toList();
    for (Row row : rows()) {
      boolean expected =
          row.needs().stream()
              .anyMatch(all -> all.stream().allMatch(need -> covered(need, privileges)));
      assertThat(may(new Identity("u", "x"), row)).as(row.toString()).isEqualTo(expected);
    }
  }

  private static Stream<String> privileges(String role) {
    return Objects.requireNonNull(ROLES.get(role)).stream()
        .flatMap(one -> one.startsWith("+") ? privileges(one.substring(1)) : Stream.of(one));
  }

  private static boolean covered(String need, List<String> privileges) {
    String action = need.substring(0, need.indexOf('@'));
    String on = need.substring(need.indexOf('@') + 1);
    return privileges.stream()
        .map(one -> one.split("\\|", -1))
        .filter(one -> List.of(one[1].split(" ", -1)).contains(action))
        .anyMatch(one -> covers(one[0], on));
  }

  /** Matches resources as MongoDB does: system collections are not among all collections. */
  private static boolean covers(String held, String required) {
    String database =
        required.contains(".") ? required.substring(0, required.indexOf('.')) : required;
    String collection = required.substring(Math.min(required.length(), database.length() + 1));
    boolean system = collection.startsWith("system.");
    boolean cluster = required.equals("cluster");
    return switch (held) {
      case "any" -> true;
      case "cluster" -> cluster;
      case "*" -> !cluster && !system && !Set.of("config", "local").contains(database);
      default ->
          held.startsWith("*.")
              ? collection.equals(held.substring(2))
              : held.equals(required) || (held.equals(database) && !system && !cluster);
    };
  }

  @Test
  void renameMustNotGrantReadAccess() {
    Row rename = row("admin", "{'renameCollection':'d.c','to':'d.n'}", "");
    clerkHas(List.of("renameCollectionSameDB@d"));
    assertThat(may(CLERK, rename)).isTrue();
    run("admin", "{'renameCollection':'d.n','to':'d.c'}");
    clerkHas(List.of("renameCollectionSameDB@d", "find@d.n"));
    assertThat(may(CLERK, rename)).isFalse();
    clerkHas(List.of("renameCollectionSameDB@d", "find@d.n", "find@d.c"));
    assertThat(may(CLERK, rename)).isTrue();
    Row replace = row("admin", "{'renameCollection':'d.c','to':'d.n','dropTarget':true}", "");
    assertThat(may(CLERK, replace)).isFalse();
    clerkHas(List.of("renameCollectionSameDB@d", "find@d.n", "find@d.c", "dropCollection@d.n"));
    assertThat(may(CLERK, replace)).isTrue();
    clerkHas(List.of("find@d.n", "dropCollection@d.n", "insert@d.c", "createIndex@d.c"));
    assertThat(may(CLERK, row("admin", "{'renameCollection':'d.n','to':'d.c'}", ""))).isTrue();
  }

  @Test
  void usersMaySeeThemselvesAndTheirRoles() {
    Row self = row("u", "{'usersInfo':'clerk','showPrivileges':true}", "");
    assertThat(may(CLERK, self)).isTrue();
    assertThat(may(CLERK, row("admin", "{'rolesInfo':'own','showPrivileges':true}", ""))).isTrue();
    assertThat(may(CLERK, row("admin", "{'rolesInfo':'root'}", ""))).isFalse();
    Row password = row("u", "{'updateUser':'clerk','pwd':'other'}", "");
    assertThat(may(CLERK, password)).isFalse();
    clerkHas(List.of("changeOwnPassword@u", "changeOwnCustomData@u"));
    assertThat(may(CLERK, password)).isTrue();
    assertThat(may(CLERK, row("u", "{'updateUser':'clerk','customData':{}}", ""))).isTrue();
    assertThat(may(CLERK, row("u", "{'updateUser':'x','pwd':'other'}", ""))).isFalse();
    assertThat(may(CLERK, row("u", "{'updateUser':'clerk','roles':[]}", ""))).isFalse();
  }
}

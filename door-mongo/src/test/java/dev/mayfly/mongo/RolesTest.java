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
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** User-defined roles: the privileges that commands require, and the commands for roles. */
final class RolesTest {
  private static final Identity ROOT = new Identity("admin", "root");
  private static final Identity CLERK = new Identity("d", "clerk");

  private final ManualClock clock = new ManualClock(Shell.START);
  private MemoryStore store = MemoryStore.withFilters();
  private Engine engine;
  private Dispatcher dispatcher;

  @BeforeEach
  void open() {
    engine = LocalEngine.open(store, clock, EngineSettings.standard(() -> 0).withBackground(false));
    MongoFrontend frontend =
        MongoFrontend.of(engine, MongoSettings.standard(() -> 0).withLogin(Login.ALWAYS));
    dispatcher = new Dispatcher(frontend, MongoBackends.single(new MongoBackend(frontend, engine)));
    if (engine.namespaces().isEmpty()) {
      frontend.users().add(ROOT, "p", Shell.json("{'r':['root']}").field("r"));
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void restart() {
    engine.close();
    store = store.reopen();
    open();
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

  private int code(Identity user, String database, String command) {
    Document reply = reply(user, database, command);
    return reply.field("ok").asDouble() == 1 ? 0 : reply.field("code").asInt();
  }

  private Document root(String database, String command) {
    Document reply = reply(ROOT, database, command);
    assertThat(reply.field("ok").asDouble()).as(reply.toString()).isEqualTo(1);
    return reply;
  }

  private void assertMay(String database, String command) {
    assertThat(code(CLERK, database, command)).as(command).isNotEqualTo(13);
  }

  private void assertMayNot(String database, String command) {
    assertThat(code(CLERK, database, command)).as(command).isEqualTo(13);
  }

  private static String privilege(String collection, String actions) {
    return "{'resource':{'db':'d','collection':'" + collection + "'},'actions':[" + actions + "]}";
  }

  /** Creates a user with one role, which allows some actions on a collection. */
  private void clerkMay(String collection, String actions) {
    root(
        "d",
        "{'createRole':'own','privileges':[" + privilege(collection, actions) + "],'roles':[]}");
    root("d", "{'createUser':'clerk','pwd':'p','roles':['own']}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'find'|{'find':'c'}
          'find'|{'count':'c'}
          'compact'|{'compact':'c'}
          'convertToCapped'|{'convertToCapped':'c','size':1000}
          'planCacheWrite'|{'planCacheClear':'c'}
          'planCacheIndexFilter'|{'planCacheListFilters':'c'}
          'find'|{'distinct':'c','key':'a'}
          'find'|{'aggregate':'c','pipeline':[],'cursor':{}}
          'find','changeStream'|{'aggregate':'c','pipeline':[{'$changeStream':{}}],'cursor':{}}
          'insert'|{'insert':'c','documents':[{}]}
          'update'|{'update':'c','updates':[{'q':{},'u':{'$set':{'a':1}}}]}
          'update','insert'|{'update':'c','updates':[{'q':{},'u':{'$set':{'a':1}},'upsert':true}]}
          'remove'|{'delete':'c','deletes':[{'q':{},'limit':0}]}
          'find','update'|{'findAndModify':'c','query':{},'update':{'$set':{'a':1}}}
          'find','remove'|{'findAndModify':'c','query':{},'remove':true}
          'createCollection'|{'create':'c'}
          'createIndex'|{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a'}]}
          'dropIndex'|{'dropIndexes':'c','index':'*'}
          'dropCollection'|{'drop':'c'}
          'collMod'|{'collMod':'c','validator':{}}
          'collStats'|{'collStats':'c'}
          'listIndexes'|{'listIndexes':'c'}
          'validate'|{'validate':'c'}
          """)
  void commandRequiresAllOfItsActions(String actions, String command) {
    root("d", "{'insert':'c','documents':[{'_id':1}]}");
    clerkMay("c", actions);
    assertMay("d", command);
    assertMayNot("d", command.replace("'c'", "'o'"));
    assertMayNot("e", command);
    for (String action : actions.split(",", -1)) {
      root("d", "{'revokePrivilegesFromRole':'own','privileges':[" + privilege("c", action) + "]}");
      assertMayNot("d", command);
      root("d", "{'grantPrivilegesToRole':'own','privileges':[" + privilege("c", action) + "]}");
    }
    assertMay("d", command);
  }

  private String more(String namespace, Document begun) {
    long id = Shell.at(begun, "cursor.id").asLong();
    assertThat(id).as(begun.toString()).isNotZero();
    return "{'getMore':{'$numberLong':'"
        + id
        + "'},'batchSize':1,'collection':'"
        + namespace
        + "'}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ''|'listCollections'|{'listCollections':1,'cursor':{'batchSize':1}}|$cmd.listCollections
          'c'|'listIndexes'|{'listIndexes':'c','cursor':{'batchSize':1}}|c
          'c'|'find'|{'find':'c','batchSize':1}|c
          'c'|'find'|{'aggregate':'c','pipeline':[],'cursor':{'batchSize':1}}|c
          """)
  void getMoreRequiresThePrivilegesOfItsCommand(
      String collection, String action, String command, String namespace) {
    root("d", "{'insert':'c','documents':[{'_id':1},{'_id':2},{'_id':3},{'_id':4}]}");
    for (String name : new String[] {"o", "p", "q"}) {
      root("d", "{'create':'" + name + "'}");
      String index = "{'key':{'" + name + "':1},'name':'" + name + "'}";
      root("d", "{'createIndexes':'c','indexes':[" + index + "]}");
    }
    clerkMay(collection.replace("'", ""), action);
    Document begun = reply(CLERK, "d", command);
    assertThat(code(CLERK, "d", more(namespace, begun))).isZero();
    assertThat(code(ROOT, "d", more(namespace, begun))).isEqualTo(13);
    String privilege = privilege(collection.replace("'", ""), action);
    root("d", "{'revokePrivilegesFromRole':'own','privileges':[" + privilege + "]}");
    assertMayNot("d", more(namespace, begun));
    root("d", "{'grantPrivilegesToRole':'own','privileges':[" + privilege + "]}");
    assertThat(code(CLERK, "d", more(namespace, begun))).isZero();
  }

  @Test
  void killCursorsRequiresTheOwnerOrKillAnyCursor() {
    root("d", "{'insert':'c','documents':[{'_id':1},{'_id':2},{'_id':3}]}");
    clerkMay("c", "'find'");
    String find = "{'find':'c','batchSize':1}";
    long own = Shell.at(reply(CLERK, "d", find), "cursor.id").asLong();
    long others = Shell.at(reply(ROOT, "d", find), "cursor.id").asLong();
    String kill = "{'killCursors':'c','cursors':[{'$numberLong':'%d'}]}";
    assertMayNot("d", kill.formatted(others));
    root("d", "{'revokePrivilegesFromRole':'own','privileges':[" + privilege("c", "'find'") + "]}");
    assertThat(Shell.text(reply(CLERK, "d", kill.formatted(own)).field("cursorsKilled")))
        .contains("" + own);
    long again = Shell.at(reply(ROOT, "d", find), "cursor.id").asLong();
    root("d", "{'grantRolesToUser':'clerk','roles':[{'role':'hostManager','db':'admin'}]}");
    assertThat(Shell.text(reply(CLERK, "d", kill.formatted(again)).field("cursorsKilled")))
        .contains("" + again);
  }

  @Test
  void filemd5RequiresFindOnTheChunks() {
    clerkMay("fs.chunks", "'find'");
    assertMay("d", "{'filemd5':'fs.chunks'}");
    assertMay("d", "{'filemd5':'x','root':'fs'}");
    assertMayNot("d", "{'filemd5':'fs.chunks','root':'other'}");
    assertMayNot("e", "{'filemd5':'x'}");
  }

  @Test
  void stagesRequirePrivilegesOnTheirCollections() {
    clerkMay("c", "'find'");
    String stages = "{'aggregate':'c','pipeline':[%s],'cursor':{}}";
    String lookup = "{'$lookup':{'from':'o','localField':'a','foreignField':'a','as':'a'}}";
    assertMayNot("d", stages.formatted(lookup));
    assertMayNot("d", stages.formatted("{'$out':'o'}"));
    assertMayNot("d", stages.formatted("{'$merge':{'into':'c'}}"));
    assertMayNot("d", stages.formatted("{'$changeStream':{}}"));
    assertMayNot("d", "{'aggregate':1,'pipeline':[{'$changeStream':{}}],'cursor':{}}");
    root("d", "{'grantPrivilegesToRole':'own','privileges':[" + privilege("o", "'find'") + "]}");
    assertMay("d", stages.formatted(lookup));
    String write = privilege("o", "'insert','remove'");
    root("d", "{'grantPrivilegesToRole':'own','privileges':[" + write + "]}");
    assertMay("d", stages.formatted("{'$out':'o'}"));
  }

  @Test
  void privilegeOnAllDatabasesExcludesSystemCollections() {
    root(
        "admin",
        "{'createRole':'wide','privileges':[{'resource':{'db':'','collection':''},"
            + "'actions':['find']}],'roles':[]}");
    root("d", "{'createUser':'clerk','pwd':'p','roles':[{'role':'wide','db':'admin'}]}");
    assertMay("d", "{'find':'c'}");
    assertMay("e", "{'find':'c'}");
    assertMayNot("admin", "{'find':'system.users'}");
    assertMayNot("admin", "{'find':'system.roles'}");
    assertMayNot("admin", "{'serverStatus':1}");
    assertMayNot(
        "admin",
        "{'aggregate':1,'pipeline':[{'$changeStream':{'allChangesForCluster':true}}],"
            + "'cursor':{}}");
    root(
        "admin",
        "{'grantPrivilegesToRole':'wide','privileges':[{'resource':{'cluster':true},"
            + "'actions':['serverStatus']}]}");
    assertMay("admin", "{'serverStatus':1}");
    assertMayNot("admin", "{'killOp':1,'op':1}");
  }

  @ParameterizedTest
  @CsvSource({
    "read,d,false",
    "readWrite,d,false",
    "readAnyDatabase,admin,false",
    "dbAdmin,d,true",
    "dbOwner,d,true",
    "clusterMonitor,admin,true",
    "root,admin,true"
  })
  void onlyAdminAndMonitorRolesReadTheProfile(String role, String of, boolean sees) {
    root(
        "d",
        "{'createUser':'clerk','pwd':'p','roles':[{'role':'" + role + "','db':'" + of + "'}]}");
    assertThat(code(CLERK, "d", "{'find':'system.profile'}")).isEqualTo(sees ? 0 : 13);
    assertThat(code(CLERK, "d", "{'drop':'system.profile'}") == 13)
        .isEqualTo(!sees || role.equals("clusterMonitor"));
  }

  @Test
  void readOnAdminDoesNotIncludeOtherDatabases() {
    root("d", "{'createUser':'clerk','pwd':'p','roles':[{'role':'read','db':'admin'}]}");
    assertMayNot(
        "admin",
        "{'aggregate':1,'pipeline':[{'$changeStream':{'allChangesForCluster':true}}],"
            + "'cursor':{}}");
    assertMayNot("admin", "{'find':'system.roles'}");
  }

  @Test
  void roleInheritsPrivileges() {
    clerkMay("c", "'find'");
    root("d", "{'createRole':'more','privileges':[],'roles':['readWrite']}");
    assertMayNot("d", "{'insert':'o','documents':[{}]}");
    root("d", "{'grantRolesToRole':'own','roles':['more']}");
    assertMay("d", "{'insert':'o','documents':[{}]}");
    assertThat(code(ROOT, "d", "{'grantRolesToRole':'more','roles':['own']}")).isEqualTo(80);
    root("d", "{'revokeRolesFromRole':'more','roles':['readWrite']}");
    assertMayNot("d", "{'insert':'o','documents':[{}]}");
    root("d", "{'updateRole':'more','privileges':[" + privilege("o", "'insert'") + "]}");
    assertMay("d", "{'insert':'o','documents':[{}]}");
  }

  @Test
  void droppedRoleIsRemovedFromUsersAndRoles() {
    clerkMay("c", "'find'");
    root("d", "{'createRole':'heir','privileges':[],'roles':['own']}");
    root("d", "{'dropRole':'own'}");
    assertMayNot("d", "{'find':'c'}");
    assertThat(root("d", "{'usersInfo':'clerk'}").toString()).contains("\"roles\":[]");
    assertThat(root("d", "{'rolesInfo':'heir'}").toString()).contains("\"roles\":[]");
    assertThat(code(ROOT, "d", "{'dropRole':'own'}")).isEqualTo(31);
    assertThat(root("d", "{'dropAllRolesFromDatabase':1}").field("n").asInt()).isEqualTo(1);
    assertThat(root("d", "{'rolesInfo':1}").field("roles").asDocument().isEmpty()).isTrue();
  }

  @Test
  void rolesArePersistent() {
    clerkMay("c", "'find'");
    restart();
    assertMay("d", "{'find':'c'}");
    assertMayNot("d", "{'insert':'c','documents':[{}]}");
    Document info = root("d", "{'rolesInfo':'own','showPrivileges':true}");
    assertThat(Shell.text(Shell.at(info, "roles.0")))
        .isEqualTo(
            "{'_id':'d.own','role':'own','db':'d','isBuiltin':false,'roles':[],"
                + "'inheritedRoles':[],'privileges':[{'resource':{'db':'d','collection':'c'},"
                + "'actions':['find']}],'inheritedPrivileges':[{'resource':{'db':'d',"
                + "'collection':'c'},'actions':['find']}]}");
  }

  @Test
  void grantRequiresGrantRoleOnTheDatabase() {
    root("d", "{'createUser':'clerk','pwd':'p','roles':['userAdmin']}");
    assertMay("d", "{'createRole':'a','privileges':[" + privilege("c", "'find'") + "],'roles':[]}");
    String elsewhere = privilege("c", "'find'").replace("'d'", "'e'");
    assertMayNot("d", "{'createRole':'b','privileges':[" + elsewhere + "],'roles':[]}");
    assertMayNot("d", "{'grantPrivilegesToRole':'a','privileges':[" + elsewhere + "]}");
    assertMayNot(
        "d",
        "{'updateRole':'a','privileges':[{'resource':{'anyResource':true},"
            + "'actions':['anyAction']}]}");
    assertMayNot("d", "{'grantRolesToRole':'a','roles':[{'role':'root','db':'admin'}]}");
    assertMayNot("admin", "{'createRole':'a','privileges':[],'roles':[]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'createRole':'r','privileges':[{'resource':ALL,'actions':['fly']}],'roles':[]}|2
          {'createRole':'r','privileges':[{'resource':{'db':'d'},'actions':['find']}],'roles':[]}|2
          {'createRole':'r','privileges':[{'resource':SERVER,'actions':['top']}],'roles':[]}|80
          {'createRole':'r','privileges':[],'roles':[{'role':'read','db':'e'}]}|80
          {'createRole':'r','privileges':[],'roles':['nobody']}|31
          {'createRole':'r','privileges':1,'roles':[]}|14
          {'createRole':'read','privileges':[],'roles':[]}|2
          {'createRole':'own','privileges':[],'roles':[]}|51002
          {'createRole':'','privileges':[],'roles':[]}|2
          {'updateRole':'nobody','roles':[]}|31
          {'updateRole':'read','roles':[]}|80
          {'dropRole':'read'}|80
          {'grantRolesToUser':'clerk','roles':['nobody']}|31
          """)
  void malformedCommandsFail(String command, int code) {
    clerkMay("c", "'find'");
    String spelled =
        command.replace("ALL", "{'db':'d','collection':''}").replace("SERVER", "{'cluster':true}");
    assertThat(code(ROOT, "d", spelled)).isEqualTo(code);
  }

  @Test
  void listDatabasesReturnsAuthorizedDatabases() {
    root("d", "{'insert':'c','documents':[{}]}");
    root("e", "{'insert':'c','documents':[{}]}");
    clerkMay("c", "'find'");
    Document listed = reply(CLERK, "admin", "{'listDatabases':1,'nameOnly':true}");
    assertThat(Shell.text(listed.field("databases"))).contains("'d'").doesNotContain("'e'");
    Document status = reply(CLERK, "d", "{'connectionStatus':1,'showPrivileges':true}");
    assertThat(Shell.text(Shell.at(status, "authInfo.authenticatedUserPrivileges")))
        .isEqualTo("[{'resource':{'db':'d','collection':'c'},'actions':['find']}]");
  }

  /** Sends documents of a field in a document sequence. */
  private Document replyToSequence(Identity user, String body, String field, String document) {
    Client client = new Client(1, "10.0.0.1:50000", "127.0.0.1:27017");
    client.identity(Optional.of(user));
    DocumentWriter reply = Document.writer();
    Map<String, List<Document>> sequences = Map.of(field, List.of(Shell.json(document)));
    dispatcher.answer(
        client,
        new Message.Call(1, Compressor.NOOP, false, false, Shell.json(body), sequences),
        reply);
    return reply.build();
  }

  @Test
  void stagesInADocumentSequenceAreChecked() {
    root("d", "{'insert':'secret','documents':[{'_id':1}]}");
    clerkMay("c", "'find'");
    String union = "{'$unionWith':'secret'}";
    Document only =
        replyToSequence(CLERK, "{'aggregate':'c','cursor':{},'$db':'d'}", "pipeline", union);
    assertThat(only.field("code").asInt()).isEqualTo(13);
    Document both =
        replyToSequence(
            CLERK, "{'aggregate':'c','pipeline':[],'cursor':{},'$db':'d'}", "pipeline", union);
    assertThat(both.field("code").asInt()).isEqualTo(40433);
  }

  @Test
  void explainRequiresThePrivilegesOfItsCommand() {
    root("b", "{'insert':'secret','documents':[{'_id':1,'s':'b-secret'}]}");
    root("d", "{'createUser':'clerk','pwd':'p','roles':['read']}");
    String find = "{'explain':{'find':'%s','filter':{},'$db':'%s'},'verbosity':'executionStats'}";
    assertThat(code(CLERK, "d", find.formatted("c", "d"))).isZero();
    assertThat(code(CLERK, "d", find.formatted("secret", "b"))).isEqualTo(73);
    assertThat(code(CLERK, "d", find.formatted("system.users", "admin"))).isEqualTo(73);
    assertThat(code(ROOT, "d", find.formatted("secret", "b"))).isEqualTo(73);
    assertMayNot("b", find.formatted("secret", "b"));
    assertMayNot("admin", find.formatted("system.users", "admin"));
    assertMayNot("d", "{'explain':{'delete':'c','deletes':[{'q':{},'limit':1}]}}");
    assertMayNot("d", "{'explain':{'explain':{'delete':'c','deletes':[{'q':{},'limit':1}]}}}");
    assertThat(code(ROOT, "d", "{'explain':{'frobnicate':'c'}}")).isEqualTo(59);
  }

  @Test
  void viewRequiresReadPrivilegesOfItsCreator() {
    root("d", "{'insert':'secret','documents':[{'_id':1,'s':'top'}]}");
    clerkMay("v", "'createCollection','find','collMod'");
    root("d", "{'grantPrivilegesToRole':'own','privileges':[" + privilege("pub", "'find'") + "]}");
    String view = "{'create':'v','viewOn':'%s','pipeline':[%s]}";
    String lookup = "{'$lookup':{'from':'secret','pipeline':[],'as':'q'}}";
    assertMayNot("d", view.formatted("secret", ""));
    assertMayNot("d", view.formatted("pub", lookup));
    assertMay("d", view.formatted("pub", ""));
    assertMayNot("d", "{'collMod':'v','viewOn':'secret','pipeline':[]}");
    assertMayNot("d", "{'collMod':'v','viewOn':'pub','pipeline':[" + lookup + "]}");
    assertThat(reply(CLERK, "d", "{'find':'v'}").toString()).doesNotContain("top");
    // a view of a privileged creator is readable by users with find on the view
    root("d", "{'create':'w','viewOn':'secret','pipeline':[]}");
    assertMayNot("d", "{'find':'w'}");
    root("d", "{'grantPrivilegesToRole':'own','privileges':[" + privilege("w", "'find'") + "]}");
    assertThat(reply(CLERK, "d", "{'find':'w'}").toString()).contains("top");
    assertMayNot("d", "{'find':'secret'}");
  }

  @Test
  void viewCannotExposeCredentials() {
    root("d", "{'createUser':'clerk','pwd':'p','roles':[{'role':'readWrite','db':'admin'}]}");
    assertMayNot("admin", "{'find':'system.users'}");
    assertMayNot("admin", "{'create':'vu','viewOn':'system.users','pipeline':[]}");
    assertMay("admin", "{'create':'vc','viewOn':'c','pipeline':[]}");
    assertMayNot("admin", "{'collMod':'vc','viewOn':'system.users','pipeline':[]}");
    assertMayNot("admin", "{'aggregate':'c','pipeline':[{'$out':'system.users'}],'cursor':{}}");
    assertMayNot("admin", "{'cloneCollectionAsCapped':'system.users','toCollection':'k','size':9}");
    assertMayNot("admin", "{'renameCollection':'admin.system.users','to':'admin.k'}");
  }

  @Test
  void usersInfoRequiresViewUserOnEachDatabase() {
    root("d", "{'createUser':'clerk','pwd':'p','roles':['userAdmin']}");
    String shown = "{'usersInfo':%s,'showCredentials':true}";
    assertThat(reply(CLERK, "d", shown.formatted("1")).toString()).contains("storedKey");
    assertMayNot("d", shown.formatted("{'user':'root','db':'admin'}"));
    assertMayNot("d", shown.formatted("['clerk',{'user':'root','db':'admin'}]"));
    assertMayNot("d", shown.formatted("{'forAllDBs':true}"));
    assertMayNot("admin", shown.formatted("'root'"));
    assertMayNot("d", "{'rolesInfo':{'role':'root','db':'admin'},'showPrivileges':true}");
  }
}

package dev.mayfly.server;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Allowed dependencies: enforces the module table of ARCHITECTURE.md. */
final class ArchitectureTest {
  private static final String JDK = "java..";
  private static final String NULLNESS = "org.jspecify.annotations..";
  private static final String VALUE = "dev.mayfly.value..";
  private static final String EXPIRY = "dev.mayfly.expiry..";
  private static final String QUERY = "dev.mayfly.query..";
  private static final String MQL = "dev.mayfly.mql..";
  private static final String SQL = "dev.mayfly.sql..";
  private static final String NET = "dev.mayfly.net..";
  private static final String HTTP = "dev.mayfly.http..";
  private static final String STORE = "dev.mayfly.store";
  private static final String ROCKSDB = "dev.mayfly.store.rocksdb..";
  private static final String CASSANDRA = "dev.mayfly.store.cassandra..";
  private static final String ENGINE = "dev.mayfly.engine..";
  private static final String CLUSTER = "dev.mayfly.cluster..";
  private static final String MONGO = "dev.mayfly.mongo..";
  private static final String COSMOS = "dev.mayfly.cosmos..";
  private static final String EMBEDDED = "dev.mayfly";
  private static final String SERVER = "dev.mayfly.server..";
  private static final String CONFIG = "dev.mayfly.config..";
  private static final String ADMIN = "dev.mayfly.admin..";
  private static final String CONSOLE = "dev.mayfly.console..";
  private static final String METRICS = "dev.mayfly.metrics..";
  private static final String LOG = "dev.mayfly.log..";
  private static final String CLI = "dev.mayfly.cli..";

  /** Reads system properties to find the JVM library. */
  private static final String FINDS_THE_JVM = "dev.mayfly.store.rocksdb.JavaVm";

  /**
   * Reads the environment to find the user's cache directory, where the native library is unpacked.
   */
  private static final String FINDS_THE_CACHE = "dev.mayfly.store.rocksdb.NativeLibrary";

  private static final JavaClasses MAYFLY =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.mayfly");

  @ParameterizedTest
  @ValueSource(
      strings = {
        VALUE, EXPIRY, QUERY, MQL, SQL, NET, HTTP, STORE, ROCKSDB, CASSANDRA, ENGINE, CLUSTER,
        MONGO, COSMOS, EMBEDDED, CONSOLE, ADMIN, METRICS, SERVER, CONFIG, LOG, CLI
      })
  void everyModuleHasClasses(String module) {
    assertThat(MAYFLY.that(describe(module, type -> in(type, module)))).isNotEmpty();
  }

  private static boolean in(JavaClass type, String module) {
    return JavaClass.Predicates.resideInAPackage(module).test(type);
  }

  @Test
  void valueUsesNothing() {
    check(VALUE, "com.fasterxml.jackson.core..");
  }

  @Test
  void expiryUsesValue() {
    check(EXPIRY, VALUE);
  }

  @Test
  void queryUsesValue() {
    check(
        QUERY,
        VALUE,
        "com.ibm.icu..",
        "com.google.common.geometry..",
        "net.sf.geographiclib..",
        "org.locationtech.jts..");
  }

  @Test
  void bothLanguagesUseQuery() {
    check(MQL, VALUE, QUERY);
    check(SQL, VALUE, QUERY, "com.fasterxml.jackson.core..");
  }

  @Test
  void httpUsesNettyAndTheSharedBudget() {
    check(NET);
    check(HTTP, NET, "io.netty..", "javax..");
  }

  @Test
  void storeUsesNothing() {
    check(STORE);
  }

  @Test
  void theStoreOnRocksDbUsesTheStoreContract() {
    check(ROCKSDB, STORE, "org.rocksdb..");
  }

  @Test
  void theStoreOnCassandraUsesTheStoreContract() {
    check(CASSANDRA, STORE, "com.datastax.oss.driver..");
  }

  @Test
  void engineUsesValueExpiryQueryAndTheStoreContract() {
    check(ENGINE, VALUE, EXPIRY, QUERY, STORE, "javax.crypto..");
  }

  @Test
  void theClusterKnowsNoProtocolAndNoParticularStore() {
    check(CLUSTER, VALUE, EXPIRY, QUERY, NET, STORE, ENGINE, "javax..");
  }

  /** Each package of the engine uses only those before it. */
  private static final List<String> ENGINE_PACKAGES =
      List.of(
          "dev.mayfly.engine.index",
          "dev.mayfly.engine.archive",
          "dev.mayfly.engine",
          "dev.mayfly.engine.storage",
          "dev.mayfly.engine.catalog",
          "dev.mayfly.engine.sliding",
          "dev.mayfly.engine.liveness",
          "dev.mayfly.engine.shard",
          "dev.mayfly.engine.read",
          "dev.mayfly.engine.sweep",
          "dev.mayfly.engine.deliver",
          "dev.mayfly.engine.local");

  /** How many of them are the API of the engine. */
  private static final int API_PACKAGES = 3;

  @Test
  void packagesOfTheEngineUseOnlyThoseBelowThem() {
    for (int i = 0; i < ENGINE_PACKAGES.size(); i++) {
      String[] above =
          ENGINE_PACKAGES.subList(i + 1, ENGINE_PACKAGES.size()).toArray(String[]::new);
      if (above.length > 0) {
        noClasses()
            .that()
            .resideInAPackage(ENGINE_PACKAGES.get(i))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(above)
            .check(MAYFLY);
      }
    }
  }

  @Test
  void doorsSeeTheApiOfTheEngineOnly() {
    noClasses()
        .that()
        .resideInAnyPackage(MONGO, COSMOS, ADMIN, METRICS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ENGINE_PACKAGES.subList(API_PACKAGES, ENGINE_PACKAGES.size()).toArray(String[]::new))
        .check(MAYFLY);
  }

  @Test
  void theMongoDoorUsesTheEngineAndBelow() {
    check(
        MONGO,
        VALUE,
        EXPIRY,
        QUERY,
        MQL,
        NET,
        STORE,
        ENGINE,
        CLUSTER,
        "io.airlift.compress..",
        "javax..");
  }

  @Test
  void theCosmosDoorUsesTheEngineAndBelow() {
    check(
        COSMOS,
        VALUE,
        EXPIRY,
        QUERY,
        SQL,
        NET,
        HTTP,
        STORE,
        ENGINE,
        CLUSTER,
        "com.fasterxml.jackson.core..",
        "javax..");
  }

  @Test
  void nettyStaysInOnePackage() {
    noClasses()
        .that()
        .resideOutsideOfPackage(HTTP)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .check(MAYFLY);
  }

  @Test
  void theAdminApiUsesTheDoorsAndBelow() {
    check(
        ADMIN, VALUE, EXPIRY, QUERY, MQL, HTTP, STORE, ENGINE, CLUSTER, MONGO, COSMOS, METRICS,
        CONSOLE);
  }

  @Test
  void theConsoleUsesHttp() {
    check(CONSOLE, HTTP);
  }

  @Test
  void metricsUseTheEngineAndBelow() {
    check(METRICS, VALUE, STORE, ENGINE, CLUSTER, "io.micrometer..");
  }

  @Test
  void theConfigurationUsesNothing() {
    check(CONFIG, "org.snakeyaml.engine..");
  }

  @Test
  void theLogUsesValues() {
    check(LOG, VALUE, "org.slf4j..", "ch.qos.logback..");
  }

  @Test
  void onlyTheLogUsesLogback() {
    noClasses()
        .that()
        .resideOutsideOfPackage(LOG)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.slf4j..", "ch.qos.logback..")
        .check(MAYFLY);
  }

  private static void check(String module, String... mayUse) {
    String[] all =
        Stream.concat(Stream.of(JDK, NULLNESS, module), Arrays.stream(mayUse))
            .toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(all)
        .check(MAYFLY);
  }

  @Test
  void theEmbeddedApiBringsNoNetwork() {
    check(EMBEDDED, VALUE, EXPIRY, QUERY, STORE, ROCKSDB, ENGINE);
  }

  @Test
  void onlyTheCommandLineUsesTheServer() {
    noClasses()
        .that()
        .resideOutsideOfPackages(SERVER, CLI)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(SERVER)
        .check(MAYFLY);
  }

  @Test
  void onlyTheCommandLineUsesPicocli() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CLI)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(CLI, "picocli..")
        .check(MAYFLY);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.(**)").should().beFreeOfCycles().check(MAYFLY);
  }

  @Test
  void contractsUseOnlyTypesOfMayflyAndTheJdk() {
    classes()
        .that()
        .resideInAnyPackage(VALUE, EXPIRY, QUERY, STORE, ENGINE)
        .and()
        .arePublic()
        .should(useOnly(JDK, "dev.mayfly.."))
        .check(MAYFLY);
  }

  private static ArchCondition<JavaClass> useOnly(String... packages) {
    DescribedPredicate<JavaClass> allowed =
        JavaClass.Predicates.resideInAnyPackage(packages)
            .or(describe("primitive", JavaClass::isPrimitive));
    return new ArchCondition<>("use only types of " + String.join(", ", packages)) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (JavaType shown : signatures(type)) {
          for (JavaClass raw : shown.getAllInvolvedRawTypes()) {
            if (!allowed.test(raw.getBaseComponentType())) {
              String message = type.getName() + " uses " + raw.getName();
              events.add(SimpleConditionEvent.violated(type, message));
            }
          }
        }
      }
    };
  }

  /** Types in the public signatures of a type. */
  private static List<JavaType> signatures(JavaClass type) {
    List<JavaType> shown = new ArrayList<>(type.getInterfaces());
    type.getSuperclass().ifPresent(shown::add);
    for (JavaCodeUnit unit : type.getCodeUnits()) {
      if (isVisible(unit.getModifiers())) {
        shown.add(unit.getReturnType());
        shown.addAll(unit.getParameterTypes());
        shown.addAll(unit.getThrowsClause().getTypes());
      }
    }
    for (JavaField field : type.getFields()) {
      if (isVisible(field.getModifiers())) {
        shown.add(field.getType());
      }
    }
    return shown;
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  @Test
  void onlyTheOutermostPackagesReadTheClockOrTheEnvironment() {
    noClasses()
        .that()
        .resideOutsideOfPackages(EMBEDDED, SERVER, CLI)
        .and()
        .doNotHaveFullyQualifiedName(FINDS_THE_JVM)
        .and()
        .doNotHaveFullyQualifiedName(FINDS_THE_CACHE)
        .should()
        .accessTargetWhere(describe("is of the system", ArchitectureTest::readsTheSystem))
        .check(MAYFLY);
  }

  private static final Map<String, Set<String>> OF_THE_SYSTEM =
      Map.of(
          "java.lang.System",
          Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty", "getProperties"),
          "java.time.Clock",
          Set.of("systemUTC", "systemDefaultZone", "system", "tickMillis"),
          "java.util.Date",
          Set.of("<init>"));

  private static boolean readsTheSystem(JavaAccess<?> access) {
    AccessTarget target = access.getTarget();
    String owner = target.getOwner().getName();
    return OF_THE_SYSTEM.getOrDefault(owner, Set.of()).contains(target.getName())
        || (owner.startsWith("java.time.") && target.getName().equals("now"));
  }
}

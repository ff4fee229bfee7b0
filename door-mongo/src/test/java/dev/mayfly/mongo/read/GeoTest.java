package dev.mayfly.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.query.geo.RandomGeometry;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Geospatial queries and indexes. */
@ExtendWith(SeedExtension.class)
final class GeoTest {
  private static final String SQUARE =
      "{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}";

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private void places() {
    shell.insert("{'_id':1,'loc':[1,1]}");
    shell.insert("{'_id':2,'loc':{'type':'Point','coordinates':[5,5]}}");
    shell.insert("{'_id':3,'loc':{'lng':20,'lat':20}}");
    shell.insert("{'_id':4,'loc':{'type':'LineString','coordinates':[[9,9],[12,12]]}}");
    shell.insert("{'_id':5}");
  }

  private void index(String key) {
    shell.run("{'createIndexes':'c','indexes':[{'key':" + key + ",'name':'g'}]}");
  }

  private List<Integer> ids(String filter) {
    return shell.all("{'find':'c','filter':" + filter + ",'projection':{'_id':1}}").stream()
        .map(found -> Shell.json(found).field("_id").asInt())
        .toList();
  }

  @Test
  void geoWithinMatchesWithAndWithoutAnIndex() {
    places();
    String within = "{'loc':{'$geoWithin':{'$geometry':" + SQUARE + "}}}";
    assertThat(ids(within)).containsExactlyInAnyOrder(1, 2);
    index("{'loc':'2dsphere'}");
    assertThat(ids(within)).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void geoIntersectsMatchesWithAndWithoutAnIndex() {
    places();
    String touches = "{'loc':{'$geoIntersects':{'$geometry':" + SQUARE + "}}}";
    assertThat(ids(touches)).containsExactlyInAnyOrder(1, 2, 4);
    index("{'loc':'2dsphere'}");
    assertThat(ids(touches)).containsExactlyInAnyOrder(1, 2, 4);
  }

  @Test
  void legacyShapesAreSupported() {
    places();
    assertThat(ids("{'loc':{'$geoWithin':{'$box':[[0,0],[5,5]]}}}")).containsExactly(1, 2);
    assertThat(ids("{'loc':{'$within':{'$center':[[20,20],1]}}}")).containsExactly(3);
    assertThat(ids("{'loc':{'$geoWithin':{'$polygon':[[0,0],[3,6],[6,0]]}}}")).containsExactly(1);
    assertThat(ids("{'loc':{'$geoWithin':{'$centerSphere':[[1,1],0.001]}}}")).containsExactly(1);
    assertThat(ids("{'loc':{'$not':{'$geoWithin':{'$box':[[0,0],[5,5]]}}}}"))
        .containsExactly(3, 4, 5);
  }

  @Test
  void nearReturnsTheNearestFirst() {
    places();
    index("{'loc':'2dsphere'}");
    String point = "{'$geometry':{'type':'Point','coordinates':[0,0]}";
    assertThat(ids("{'loc':{'$near':" + point + "}}}")).containsExactly(1, 2, 4, 3);
    assertThat(ids("{'loc':{'$near':" + point + ",'$maxDistance':800000}}}")).containsExactly(1, 2);
    assertThat(ids("{'loc':{'$nearSphere':" + point + ",'$minDistance':800000}}}"))
        .containsExactly(4, 3);
    assertThat(ids("{'loc':{'$nearSphere':[0,0],'$maxDistance':0.1}}")).containsExactly(1);
    assertThat(ids("{'loc':{'$near':" + point + "}},'_id':{'$gt':1}}")).containsExactly(2, 4, 3);
  }

  @Test
  void nearSupportsSkipLimitAndSort() {
    places();
    index("{'loc':'2dsphere'}");
    String near = "{'loc':{'$near':{'$geometry':{'type':'Point','coordinates':[0,0]}}}}";
    assertThat(
            shell.replyText(
                "{'find':'c','filter':"
                    + near
                    + ",'skip':1,'limit':1,'projection':"
                    + "{'_id':1}}"))
        .contains("'firstBatch':[{'_id':2}]");
    assertThat(
            shell.replyText(
                "{'find':'c','filter':" + near + ",'sort':{'_id':-1},'projection':" + "{'_id':1}}"))
        .contains("'firstBatch':[{'_id':4},{'_id':3},{'_id':2},{'_id':1}]");
    assertThat(shell.replyText("{'count':'c','query':" + near + "}")).isEqualTo("{'n':4}");
    shell.run("{'update':'c','updates':[{'q':" + near + ",'u':{'$set':{'hit':true}}}]}");
    assertThat(ids("{'hit':true}")).containsExactly(1);
  }

  @Test
  void nearRequiresAnIndexAndTheTopLevel() {
    places();
    String near = "{'$near':{'$geometry':{'type':'Point','coordinates':[0,0]}}}";
    assertThat(shell.error("{'find':'c','filter':{'loc':" + near + "}}"))
        .startsWith("291")
        .contains("unable to find index for $geoNear query");
    index("{'loc':'2dsphere'}");
    assertThat(shell.error("{'find':'c','filter':{'$or':[{'loc':" + near + "},{'a':1}]}}"))
        .isEqualTo("2 geo $near must be top-level expr");
    assertThat(shell.error("{'find':'c','filter':{'loc':" + near + ",'at':" + near + "}}"))
        .isEqualTo("2 Too many geoNear expressions");
    assertThat(
            shell.error(
                "{'aggregate':'c','cursor':{},'pipeline':[{'$match':{'loc':" + near + "}}]}"))
        .startsWith("5626500");
    assertThat(shell.error("{'find':'c','filter':{'loc':{'$near':[0,0]}}}")).startsWith("291");
  }

  @Test
  void nearOnThePlaneRequiresA2dIndex() {
    places();
    index("{'loc':'2d'}");
    assertThat(ids("{'loc':{'$near':[19,19]}}")).containsExactly(3, 2, 1);
    assertThat(ids("{'loc':{'$near':[19,19],'$maxDistance':2}}")).containsExactly(3);
  }

  @Test
  void geoNearReturnsDistances() {
    places();
    index("{'loc':'2dsphere'}");
    assertThat(
            shell.replyText(
                "{'aggregate':'c','cursor':{},'pipeline':[{'$geoNear':{'near':{'type':'Point',"
                    + "'coordinates':[5,5]},'distanceField':'far.m','includeLocs':'far.at',"
                    + "'maxDistance':100,'query':{'_id':{'$lt':4}}}}]}"))
        .contains(
            "[{'_id':2,'loc':{'type':'Point','coordinates':[5,5]},'far':{'m':0.0,"
                + "'at':{'type':'Point','coordinates':[5,5]}}}]");
    Document reply =
        shell.run(
            "{'aggregate':'c','cursor':{},'pipeline':[{'$geoNear':{'near':{'type':'Point',"
                + "'coordinates':[0,1]},'distanceField':'km','distanceMultiplier':0.001,"
                + "'key':'loc'}},{'$limit':1},{'$project':{'km':1}}]}");
    assertThat(Shell.at(reply, "cursor.firstBatch.0.km").asDouble()).isBetween(111.2, 111.4);
    assertThat(Shell.at(reply, "cursor.firstBatch.0._id").asInt()).isEqualTo(1);
  }

  @Test
  void geoNearRequiresOneIndexAndTheFirstPosition() {
    places();
    String stage = "{'$geoNear':{'near':[0,0],'spherical':true,'distanceField':'d'}}";
    assertThat(shell.error("{'aggregate':'c','cursor':{},'pipeline':[" + stage + "]}"))
        .isEqualTo("27 $geoNear requires a 2d or 2dsphere index, but none were found");
    index("{'loc':'2dsphere'}");
    assertThat(shell.run("{'aggregate':'c','cursor':{},'pipeline':[" + stage + "]}")).isNotNull();
    assertThat(
            shell.error("{'aggregate':'c','cursor':{},'pipeline':[{'$match':{}}," + stage + "]}"))
        .startsWith("40602");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'at':'2dsphere'},'name':'h'}]}");
    assertThat(shell.error("{'aggregate':'c','cursor':{},'pipeline':[" + stage + "]}"))
        .isEqualTo(
            "27 There is more than one 2dsphere index on d.c; unsure which to use for $geoNear");
  }

  @Test
  void explainReportsTheGeoIndex() {
    places();
    index("{'kind':1,'loc':'2dsphere'}");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'loc':'2dsphere'},'name':'l'}]}");
    String explained =
        shell.replyText(
            "{'explain':{'find':'c','filter':{'loc':{'$geoWithin':{'$geometry':"
                + SQUARE
                + "}}}},'verbosity':'queryPlanner'}");
    assertThat(explained)
        .contains("'stage':'IXSCAN','keyPattern':{'loc':'2dsphere'},'indexName':'l'");
  }

  @Test
  void invalidGeometryCannotBeIndexed() {
    index("{'loc':'2dsphere'}");
    assertThat(shell.replyText("{'insert':'c','documents':[{'_id':1,'loc':[200,10]}]}"))
        .contains("'code':16755")
        .contains(
            "Can't extract geo keys: { _id: 1, loc: [ 200, 10 ] }  longitude/latitude is out"
                + " of bounds, lng: 200.0 lat: 10.0");
    shell.insert("{'_id':2,'loc':[20,10]}");
    assertThat(
            shell.replyText(
                "{'update':'c','updates':[{'q':{'_id':2},'u':{'$set':{'loc':'nowhere'}}}]}"))
        .contains("'code':16755");
    assertThat(ids("{'loc':[20,10]}")).containsExactly(2);
  }

  @Test
  void indexBuildFailsOnInvalidGeometry() {
    shell.insert("{'_id':1,'loc':'nowhere'}");
    assertThat(
            shell.error("{'createIndexes':'c','indexes':[{'key':{'loc':'2dsphere'},'name':'g'}]}"))
        .contains("Can't extract geo keys");
    assertThat(ids("{}")).containsExactly(1);
  }

  @Test
  void ttlOnA2dsphereIndexExpiresNothing() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'loc':'2dsphere'},'name':'g',"
            + "'expireAfterSeconds':1}]}");
    shell.insert("{'_id':1,'loc':[1,1]}");
    shell.advance(Duration.ofDays(1));
    assertThat(ids("{}")).containsExactly(1);
  }

  @Test
  void malformedGeoConditionsFail() {
    places();
    assertThat(shell.error("{'find':'c','filter':{'loc':{'$geoWithin':5}}}"))
        .isEqualTo("2 $geoWithin must be an object");
    assertThat(shell.error("{'find':'c','filter':{'loc':{'$geoWithin':{'$round':1}}}}"))
        .isEqualTo("2 unknown geo specifier: $round: 1");
    assertThat(
            shell.error(
                "{'find':'c','filter':{'loc':{'$geoWithin':{'$geometry':{'type':'Point',"
                    + "'coordinates':[1,1]}}}}}"))
        .startsWith("2 $geoWithin not supported with provided geometry");
    assertThat(
            shell.error(
                "{'find':'c','filter':{'loc':{'$geoIntersects':{'$geometry':{'type':'Polygon',"
                    + "'coordinates':[[[0,0],[1,1]]]}}}}}"))
        .startsWith("2 Loop is not closed");
    assertThat(shell.error("{'find':'c','filter':{'loc':{'$maxDistance':1}}}"))
        .isEqualTo("2 unknown operator: $maxDistance");
  }

  @Test
  void randomGeometriesMatchWithAndWithoutAnIndex(Random random) {
    for (int i = 0; i < 300; i++) {
      String place = ExtendedJson.relaxed(RandomGeometry.any(random)).replace('"', '\'');
      shell.insert("{'_id':" + i + ",'loc':" + place + "}");
    }
    shell.run("{'createIndexes':'c','indexes':[{'key':{'loc':'2dsphere'},'name':'g'}]}");
    int found = 0;
    for (int i = 0; i < 30; i++) {
      Value area = RandomGeometry.any(random);
      if (!area.isDocument()) {
        continue;
      }
      String geometry = ExtendedJson.relaxed(area).replace('"', '\'');
      String filter = "'filter':{'loc':{'$geoIntersects':{'$geometry':" + geometry + "}}}";
      String all = ",'projection':{'_id':1},'sort':{'_id':1},'batchSize':1000}";
      String indexed = shell.replyText("{'find':'c'," + filter + all);
      String scanned = shell.replyText("{'find':'c'," + filter + ",'hint':{'$natural':1}" + all);
      assertThat(indexed).as(geometry).isEqualTo(scanned);
      found += indexed.length();
    }
    assertThat(found).isPositive();
  }

  @Test
  void nearReturnsAllDocumentsByDistance(Random random) {
    index("{'loc':'2dsphere'}");
    for (int i = 0; i < 400; i++) {
      double spread = i % 2 == 0 ? 1 : 60;
      double longitude = random.nextDouble(-spread, spread);
      double latitude = random.nextDouble(-spread, spread);
      shell.insert("{'_id':" + i + ",'loc':[" + longitude + "," + latitude + "]}");
    }
    Document reply =
        shell.run(
            "{'aggregate':'c','cursor':{'batchSize':1000},'pipeline':[{'$geoNear':{'near':"
                + "{'type':'Point','coordinates':[0.5,0.5]},'distanceField':'m'}}]}");
    double last = 0;
    int count = 0;
    var batch = Shell.at(reply, "cursor.firstBatch").asDocument().fields();
    while (batch.next()) {
      double metres = batch.value().asDocument().field("m").asDouble();
      assertThat(metres).isGreaterThanOrEqualTo(last);
      last = metres;
      count++;
    }
    assertThat(count).isEqualTo(400);
  }
}

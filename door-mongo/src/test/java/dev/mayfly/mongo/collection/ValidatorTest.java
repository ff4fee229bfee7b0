package dev.mayfly.mongo.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Validation.Action;
import dev.mayfly.mongo.collection.Validation.Level;
import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ValidatorTest {
  private static final Document VALID = json("{'_id':1,'a':'x'}");
  private static final Document INVALID = json("{'_id':2,'a':5}");
  private static final String SCHEMA =
      "{'$jsonSchema':{'title':'t','required':['a','b'],'additionalProperties':false,"
          + "'properties':{'_id':{},'a':{'bsonType':'string','description':'a text'},'b':{}}}}";

  private static Document json(String text) {
    return ExtendedJson.parse(text.replace('\'', '"'), Limits.MONGO);
  }

  private static Validator validator(String filter, Level level, Action action) {
    return new Validator(new Namespace("d", "c"), new Validation(json(filter), level, action));
  }

  private static Validator strict(String filter) {
    return validator(filter, Level.STRICT, Action.ERROR);
  }

  private static String details(Validator validator, Document document) {
    try {
      validator.checkInsert(document);
    } catch (CommandException refused) {
      assertThat(refused.code().number()).isEqualTo(121);
      assertThat(refused.message()).isEqualTo("Document failed validation");
      return refused.details().field("errInfo").toString().replace('"', '\'');
    }
    throw new AssertionError("no error");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          admin|c|Document validators are not allowed on collection admin.c in the admin internal \
          database
          config|c|Document validators are not allowed on collection config.c in the config \
          internal database
          d|system.js|Document validators not allowed on system collection d.system.js
          """)
  void systemCollectionsCannotHaveAValidator(String database, String collection, String refusal) {
    Namespace namespace = new Namespace(database, collection);
    Validation validation = new Validation(json("{'a':1}"), Level.STRICT, Action.ERROR);
    assertThatThrownBy(() -> Validator.checked(namespace, validation))
        .isInstanceOfSatisfying(
            CommandException.class,
            refused -> {
              assertThat(refused.code().number()).isEqualTo(72);
              assertThat(refused.message()).isEqualTo(refusal);
            });
    assertThat(Validator.checked(namespace, Validation.NONE)).isEqualTo(Validation.NONE);
    assertThat(Validator.checked(new Namespace("d", "c"), validation)).isEqualTo(validation);
  }

  @Test
  void nearIsNotAllowedInAValidator() {
    Namespace namespace = new Namespace("d", "c");
    Validation near = new Validation(json("{'a':{'$near':[0,0]}}"), Level.STRICT, Action.ERROR);
    assertThatThrownBy(() -> Validator.checked(namespace, near))
        .isInstanceOfSatisfying(
            CommandException.class,
            refused -> assertThat(refused.code().number()).isEqualTo(5626500));
  }

  @Test
  void detailsUseTheCollationOfTheCollection() {
    Validator caseless =
        new Validator(
            new Namespace("d", "c"),
            new Validation(json("{'a':'x','b':1}"), Level.STRICT, Action.ERROR),
            json("{'locale':'en','strength':2}"));
    assertThat(details(caseless, json("{'_id':1,'a':'X','b':2}")))
        .contains("'index':1")
        .doesNotContain("'index':0");
  }

  @Test
  void invalidDocumentFails() {
    Validator validator = strict("{'a':{'$type':'string'}}");
    validator.checkInsert(VALID);
    assertThat(details(validator, INVALID))
        .isEqualTo(
            "{'failingDocumentId':2,'details':{'operatorName':'$type','specifiedAs':{'a':{'$type':"
                + "'string'}},'reason':'comparison failed','consideredValue':5}}");
    assertThat(details(validator, json("{'_id':3}"))).contains("'reason':'field was missing'");
  }

  @Test
  void detailsListAllFailedClauses() {
    assertThat(details(strict("{'a':'x','b':1,'c':2}"), json("{'_id':1,'a':'x'}")))
        .contains("'operatorName':'$and','clausesNotSatisfied':[{'index':1,")
        .contains("{'index':2,")
        .doesNotContain("{'index':0,");
  }

  @Test
  void detailsListTheFailedRulesOfASchema() {
    assertThat(details(strict(SCHEMA), json("{'_id':1,'a':5,'z':1}")))
        .isEqualTo(
            "{'failingDocumentId':1,'details':{'operatorName':'$jsonSchema','title':'t',"
                + "'schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':"
                + "['a','b']},'missingProperties':['b']},{'operatorName':'additionalProperties',"
                + "'specifiedAs':{'additionalProperties':false},'additionalProperties':['z']},"
                + "{'operatorName':'properties','propertiesNotSatisfied':[{'propertyName':'a',"
                + "'description':'a text','details':[{'operatorName':'bsonType','specifiedAs':{"
                + "'bsonType':'string'},'reason':'type did not match','consideredValue':5,"
                + "'consideredType':'int'}]}]}]}}");
  }

  @Test
  void validatorCanUseNow() {
    Validator validator =
        new Validator(
            new Namespace("d", "c"),
            Validation.NONE.withValidator(json("{'$expr':{'$lt':['$at','$$NOW']}}")),
            Document.EMPTY);
    Document document = Document.writer().put("_id", 1).put("at", Value.date(1_500)).build();
    assertThat(validator.at(1_000).passes(document)).isFalse();
    assertThat(validator.at(2_000).passes(document)).isTrue();
  }

  @Test
  void moderateLevelExemptsInvalidDocuments() {
    String filter = "{'a':'x'}";
    Validator moderate = validator(filter, Level.MODERATE, Action.ERROR);
    assertThatCode(() -> moderate.checkUpdate(INVALID, INVALID)).doesNotThrowAnyException();
    assertThatThrownBy(() -> moderate.checkUpdate(VALID, INVALID))
        .isInstanceOf(CommandException.class);
    assertThatThrownBy(() -> moderate.checkInsert(INVALID)).isInstanceOf(CommandException.class);
    assertThatThrownBy(() -> strict(filter).checkUpdate(INVALID, INVALID))
        .isInstanceOf(CommandException.class);
  }

  @Test
  void warnAndOffLetDocumentsPass() {
    validator("{'a':'x'}", Level.STRICT, Action.WARN).checkInsert(INVALID);
    validator("{'a':'x'}", Level.OFF, Action.ERROR).checkInsert(INVALID);
    assertThat(validator("{'a':'x'}", Level.OFF, Action.ERROR).acceptsAll()).isTrue();
    assertThat(strict("{}").acceptsAll()).isTrue();
  }

  @Test
  void detailsContainTheDuplicateItem() {
    Validator unique = strict("{'$jsonSchema':{'properties':{'a':{'uniqueItems':true}}}}");
    assertThat(details(unique, json("{'_id':1,'a':[3,1,2,1]}"))).contains("'duplicatedValue':1");
  }
}

package dev.mayfly.server;

import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.seed.Definitions;
import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.auth.RequestSigner;
import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.value.Document;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Definitions of an engine without a server: opens both doors for the time of the request, on free
 * loopback ports that accept no client without a login or a random key.
 */
public final class OfflineDefinitions {
  private OfflineDefinitions() {}

  /** Returns the definitions of all collections and containers. */
  public static Document list(Engine engine, AdminApi adminApi) {
    MongoSettings mongo =
        MongoSettings.standard(System::nanoTime)
            .withAddress("127.0.0.1", 0)
            .withLogin(Login.ALWAYS);
    String key = OwnKey.random();
    CosmosSettings cosmos =
        CosmosSettings.standard(System::currentTimeMillis).withAddress("127.0.0.1", 0).withKey(key);
    RequestSigner signer = new RequestSigner(new MasterKey(key), System::currentTimeMillis);
    AtomicReference<Optional<Definitions.Cosmos>> opened = new AtomicReference<>(Optional.empty());
    try (MongoDoor mongoDoor = MongoDoor.open(engine, mongo);
        CosmosDoor _ =
            CosmosDoor.open(
                engine,
                cosmos,
                handler -> {
                  opened.set(Optional.of(new Definitions.Cosmos(handler, signer)));
                  return handler;
                })) {
      return new Definitions(mongoDoor, adminApi, opened::get).list();
    }
  }
}

package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;

/** Checks that the replacement of a container does not change fixed properties. */
final class Redefinition {
  private Redefinition() {}

  static void check(Container container, ContainerDefinition definition) {
    if (!definition.id().equals(container.id())) {
      throw CosmosException.wrong("The id of a container cannot be changed.");
    }
    if (!definition.partitionKey().equals(container.partitionKey())) {
      throw CosmosException.wrong("Document collection partition key cannot be changed.");
    }
    if (!definition.uniqueKeys().equals(container.definition().uniqueKeys())) {
      throw CosmosException.wrong(
          "The unique index cannot be modified. To change the unique index, remove the collection"
              + " and re-create a new one.");
    }
    VectorPolicies.checkReplaced(container.definition().form(), definition.form());
  }
}

/** The door for Azure Cosmos DB SDKs: opening it and the table of what it serves. */
@NullMarked
package dev.mayfly.cosmos;

import org.jspecify.annotations.NullMarked;

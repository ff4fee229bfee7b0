/**
 * Collection options of MongoDB: views, validators, collations and index descriptions, and their
 * translation into {@code CollectionSpec}s of the engine.
 *
 * <p>Start at {@link dev.mayfly.mongo.collection.Namespaces}, which finds collections and views by
 * name. {@link dev.mayfly.mongo.collection.Indexes} is the only place that keeps index descriptions
 * consistent with the indexes and TTL rules of the engine. The packages of commands use this
 * package; it uses {@code dev.mayfly.mongo.command} and {@code dev.mayfly.mql}. Types are immutable
 * or thread-safe; {@code ViewPaths} is used by one thread only.
 */
@NullMarked
package dev.mayfly.mongo.collection;

import org.jspecify.annotations.NullMarked;

/** Tests of two doors of one cluster with the MongoDB driver. */
@NullMarked
package dev.mayfly.mongo.cluster;

import org.jspecify.annotations.NullMarked;

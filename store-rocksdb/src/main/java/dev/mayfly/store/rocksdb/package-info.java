/** Room for store-rocksdb. */
@NullMarked
package dev.mayfly.store.rocksdb;

import org.jspecify.annotations.NullMarked;

package dev.mayfly.cosmos.rest;

/** Names of the protocol's headers, in lower case. */
public final class HeaderNames {
  public static final String ACTIVITY_ID = "x-ms-activity-id";
  public static final String A_IM = "a-im";
  public static final String ALT_CONTENT_PATH = "x-ms-alt-content-path";
  public static final String AUTHORIZATION = "authorization";
  public static final String AUTOPILOT_SETTINGS = "x-ms-cosmos-offer-autopilot-settings";
  public static final String BATCH_ATOMIC = "x-ms-cosmos-batch-atomic";
  public static final String BATCH_CONTINUE_ON_ERROR = "x-ms-cosmos-batch-continue-on-error";
  public static final String CHANGE_FEED_FORMAT = "x-ms-cosmos-changefeed-wire-format-version";
  public static final String CHARGE = "x-ms-request-charge";
  public static final String CONTENT_PATH = "x-ms-content-path";
  public static final String CONTENT_TYPE = "content-type";
  public static final String CONTINUATION = "x-ms-continuation";
  public static final String CROSS_PARTITION = "x-ms-documentdb-query-enablecrosspartition";
  public static final String DATE = "date";
  public static final String END_EPK = "x-ms-end-epk";
  public static final String ETAG = "etag";

  /** In a read of an item, {@code true} adds the following three to the reply. */
  public static final String EXPLAIN_EXPIRY = "x-mayfly-explain-expiry";

  public static final String EXPIRES_AT = "x-mayfly-expires-at";
  public static final String EXPIRY_RULE = "x-mayfly-expiry-rule";
  public static final String NEVER_EXPIRES = "x-mayfly-never-expires";
  public static final String EXPIRE_NOW = "x-mayfly-expire-now";
  public static final String EXPIRY_SECONDS = "x-ms-documentdb-expiry-seconds";
  public static final String GLOBAL_LSN = "x-ms-global-committed-lsn";
  public static final String IF_MATCH = "if-match";
  public static final String IF_MODIFIED_SINCE = "if-modified-since";
  public static final String IF_NONE_MATCH = "if-none-match";
  public static final String INDEX_METRICS = "x-ms-cosmos-index-utilization";
  public static final String INDEX_PROGRESS =
      "x-ms-documentdb-collection-index-transformation-progress";
  public static final String INDEXING_DIRECTIVE = "x-ms-indexing-directive";
  public static final String INTENDED_RID = "x-ms-cosmos-intended-collection-rid";
  public static final String IS_BATCH = "x-ms-cosmos-is-batch-request";
  public static final String IS_QUERY = "x-ms-documentdb-isquery";
  public static final String IS_QUERY_PLAN = "x-ms-cosmos-is-query-plan-request";
  public static final String IS_UPSERT = "x-ms-documentdb-is-upsert";
  public static final String ITEM_COUNT = "x-ms-item-count";
  public static final String ITEM_LSN = "x-ms-item-lsn";
  public static final String LAST_STATE_CHANGE = "x-ms-last-state-change-utc";
  public static final String LAZY_PROGRESS = "x-ms-documentdb-collection-lazy-indexing-progress";
  public static final String ENABLE_SCAN = "x-ms-documentdb-query-enable-scan";
  public static final String LSN = "lsn";
  public static final String MAX_EXPIRE_NOW = "x-mayfly-max-expire-now";
  public static final String MAX_ITEM_COUNT = "x-ms-max-item-count";
  public static final String MIN_THROUGHPUT = "x-ms-cosmos-min-throughput";
  public static final String MS_DATE = "x-ms-date";
  public static final String OFFER_REPLACE_PENDING = "x-ms-offer-replace-pending";
  public static final String OFFER_THROUGHPUT = "x-ms-offer-throughput";
  public static final String OFFER_TYPE = "x-ms-offer-type";
  public static final String PARTITION_KEY = "x-ms-documentdb-partitionkey";
  public static final String PARTITION_KEY_RANGE_ID = "x-ms-documentdb-partitionkeyrangeid";
  public static final String POPULATE_INDEX_METRICS = "x-ms-cosmos-populateindexmetrics";
  public static final String POPULATE_INDEX_USE = "x-ms-cosmos-populateindexmetrics-v2";
  public static final String POPULATE_STATISTICS = "x-ms-documentdb-populatepartitionstatistics";
  public static final String POPULATE_QUERY_METRICS = "x-ms-documentdb-populatequerymetrics";
  public static final String POPULATE_QUOTA = "x-ms-documentdb-populatequotainfo";
  public static final String POST_TRIGGERS = "x-ms-documentdb-post-trigger-include";
  public static final String PRE_TRIGGERS = "x-ms-documentdb-pre-trigger-include";
  public static final String PREFER = "prefer";
  public static final String QUERY_METRICS = "x-ms-documentdb-query-metrics";
  public static final String READ_KEY_TYPE = "x-ms-read-key-type";
  public static final String RESOURCE_QUOTA = "x-ms-resource-quota";
  public static final String RESOURCE_USAGE = "x-ms-resource-usage";
  public static final String RETRY_AFTER = "x-ms-retry-after-ms";
  public static final String SCHEMA_VERSION = "x-ms-schemaversion";
  public static final String SERVICE_VERSION = "x-ms-serviceversion";
  public static final String GATEWAY_VERSION = "x-ms-gatewayversion";
  public static final String SESSION_TOKEN = "x-ms-session-token";
  public static final String SLUG = "slug";
  public static final String START_EPK = "x-ms-start-epk";
  public static final String SUBSTATUS = "x-ms-substatus";
  public static final String TENTATIVE_WRITES = "x-ms-cosmos-allow-tentative-writes";
  public static final String VERSION = "x-ms-version";

  private HeaderNames() {}
}

import { post } from './api.js';
import { about, containerPath, cosmos, mongo, raw } from './commands.js';
import { isContainer } from './texts.js';
import { rawField } from './keytext.js';
import { toExtendedJson } from './shell.js';

/* Reading and writing documents of both doors. */

export const PAGE = 50;
const MOST_ANSWERED = 200;
const CROSS_PARTITION = { 'x-ms-documentdb-isquery': 'true',
  'content-type': 'application/query+json', 'x-ms-documentdb-query-enablecrosspartition': 'true' };

/** Query with which a collection is opened. */
export function firstQuery(collection) {
  return isContainer(collection) ? { text: 'SELECT * FROM c' }
    : { text: '{}', sort: '', projection: '', pipeline: false };
}

/**
 * First page of a query.
 * @returns {Promise<Record<string, any>>} texts, next (for the next page), millis, plan, examined
 */
export async function firstPage(collection, query, { tag, most = PAGE } = {}) {
  if (isContainer(collection)) {
    return cosmosPage(collection, query, undefined, tag, most);
  }
  const command = mongoQuery(collection, query, most);
  return browses(query) ? mongoById(collection, query, undefined, tag, most)
    : mongoPage(await mongo(collection.database, command, tag));
}

function mongoQuery(collection, query, most) {
  const text = toExtendedJson(query.text.trim() || (query.pipeline ? '[]' : '{}'));
  const option = (value) => (value?.trim() ? raw(toExtendedJson(value)) : undefined);
  return query.pipeline
    ? { aggregate: collection.collection, pipeline: raw(text), cursor: { batchSize: most } }
    : { find: collection.collection, filter: raw(text), sort: option(query.sort),
      projection: option(query.projection), batchSize: most };
}

/** Whether a query asks for everything, in any order and with all fields. */
function browses(query) {
  return !query.pipeline && !query.sort?.trim() && !query.projection?.trim()
    && /^\{?\s*\}?$/.test(query.text.trim());
}

/** Pages by id need no open cursor, which would delay the sweep. One more row shows the end. */
async function mongoById(collection, query, last, tag, wanted) {
  const most = Math.min(wanted, MOST_ANSWERED - 1);
  const page = mongoPage(await mongo(collection.database, { find: collection.collection, filter: {},
    hint: { _id: 1 }, min: last ? { _id: raw(last) } : undefined, limit: most + 1,
    batchSize: most + 1, singleBatch: true }, tag));
  const id = (text) => rawField(text, ['_id']);
  const texts = last && page.texts[0] && id(page.texts[0]) === last ? page.texts.slice(1)
    : page.texts;
  const more = page.texts.length > most;
  const shown = texts.slice(0, most);
  return { ...page, texts: shown, next: more ? { after: id(shown.at(-1)) } : undefined };
}

/** Closes the cursor of a next page; the page can still be had, by skipping. */
export function release(collection, next, rows) {
  if (!next?.cursor) {
    return next;
  }
  mongo(collection.database, { killCursors: collection.collection,
    cursors: [{ $numberLong: next.cursor }] }).catch(() => undefined);
  return { skip: rows };
}

/** The page after another one. */
export async function nextPage(collection, query, next, { tag, most = PAGE } = {}) {
  if (isContainer(collection)) {
    return cosmosPage(collection, query, next.continuation, tag, most);
  }
  if (next.after) {
    return mongoById(collection, query, next.after, tag, most);
  }
  if (next.skip !== undefined) {
    const command = mongoQuery(collection, query, most);
    return mongoPage(await mongo(collection.database, query.pipeline
      ? { ...command, pipeline: raw(`${command.pipeline.text.replace(/\]\s*$/, '')}${
        /^\[\s*\]$/.test(command.pipeline.text) ? '' : ','}{"$skip":${next.skip}}]`) }
      : { ...command, skip: next.skip }, tag));
  }
  return mongoPage(await mongo(collection.database, { getMore: { $numberLong: next.cursor },
    collection: collection.collection, batchSize: most }, tag), next.through);
}

/** A page; `through` is the newest version that its snapshot can have. */
function mongoPage(answer, through = answer.through) {
  const open = answer.cursor && answer.cursor !== '0';
  return { texts: answer.documents ?? [], millis: answer.millis, plan: answer.plan, through,
    examined: answer.documentsExamined, keysExamined: answer.keysExamined,
    next: open ? { cursor: answer.cursor, through } : undefined };
}

async function cosmosPage(collection, query, continuation, tag, most) {
  const headers = { ...CROSS_PARTITION, 'x-ms-max-item-count': String(most),
    'x-ms-documentdb-populatequerymetrics': 'true' };
  if (continuation) {
    headers['x-ms-continuation'] = continuation;
  }
  const answer = await cosmos('POST', `${containerPath(collection)}/docs`,
    { headers, tag, body: { query: query.text, parameters: [] } });
  const examined = /retrievedDocumentCount=(\d+)/.exec(answer.queryMetrics ?? '')?.[1];
  return { texts: answer.documents ?? [], millis: answer.millis, requestUnits: answer.requestUnits,
    examined: examined && Number(examined),
    next: answer.continuation ? { continuation: answer.continuation } : undefined };
}

/** Text of one document, or undefined if it does not exist. */
export async function readDocument(collection, key) {
  if (!isContainer(collection)) {
    const { documents } = await mongo(collection.database, { find: collection.collection,
      filter: { _id: { $eq: raw(key) } }, limit: 1, singleBatch: true });
    return documents[0];
  }
  try {
    const { path, headers } = item(collection, key);
    return (await cosmos('GET', path, { headers })).body;
  } catch (error) {
    if (error.status === 404) {
      return undefined;
    }
    throw error;
  }
}

/** Path and headers of an item at the Cosmos door. */
export function item(collection, key) {
  const { id, partitionKey } = JSON.parse(key);
  return { path: `${containerPath(collection)}/docs/${encodeURIComponent(id)}`,
    headers: partitionKey.length === 0 ? {}
      : { 'x-ms-documentdb-partitionkey': JSON.stringify(partitionKey) } };
}

/** Guarded write: saved, changed (theirs) or gone. */
export function save(collection, key, version, text) {
  return post(about(collection, 'save'), { key, version, text });
}

/** Inserts up to 1,000 documents. @param {string[]} texts */
export function insert(collection, texts) {
  return post(about(collection, 'insert'), { texts });
}

/**
 * Removes up to 1,000 documents; those with a version only if they still have it.
 * @param {string[]} keys @param {string[]} [versions]
 */
export function removeKeys(collection, keys, versions) {
  return post(about(collection, 'remove'), { keys, versions });
}

/** Page of documents in the order of their deadlines. */
export async function soonestPage(collection, after, most = PAGE) {
  const answer = await post(about(collection, 'soonest'), { after, most, text: true });
  return { texts: answer.documents.map((each) => each.text),
    next: answer.after ? { after: answer.after } : undefined,
    extra: answer.documents.map((each) => ({ key: each.key, through: each.version })) };
}

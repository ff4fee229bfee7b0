import { html, nothing } from 'lit';
import { ask } from './dialogs.js';
import { cosmos, containerPath, mongo } from './commands.js';
import { counted } from './format.js';
import { ROOT, toCollection } from './router.js';
import { databaseName, isContainer, kindOf } from './texts.js';
import { say } from './messages.js';

/* Create, rename and drop collections and containers. */

const field = (values, set, name, label, more = {}) => html`<div class="field wide">
  <label for="new-${name}">${label}</label>
  <input id="new-${name}" .value=${values[name] ?? ''} ?required=${!more.optional}
    type=${more.type ?? 'text'} min=${more.min ?? nothing} placeholder=${more.placeholder ?? ''}
    list=${more.list ?? nothing} autocomplete="off"
    @input=${(event) => set(name, event.target.value)}>
  ${more.hint ? html`<p class="hint">${more.hint}</p>` : nothing}</div>`;

const KINDS = [['mongo', 'MongoDB collection'], ['cosmos', 'Cosmos DB container']];
const INDEXING = [['all', 'all paths (standard)'], ['some', 'only these paths'],
  ['none', 'nothing; items are read by id']];

/**
 * Asks for a name and makes a collection.
 * @param {Record<string, any>} session @param {Array<Record<string, any>>} existing collections
 * @returns {Promise<{database: string, collection: string} | undefined>}
 */
export function createCollection(session, existing) {
  const kinds = KINDS.filter(([kind]) => kind === 'mongo'
    || (session.everything && session.doors.cosmos));
  const body = (values, set) => html`
    ${kinds.length > 1 ? html`<fieldset class="row wide"><legend class="unseen">Kind</legend>
      ${kinds.map(([kind, label]) => html`<label class="choice"><input type="radio" name="kind"
        .checked=${values.kind === kind} @change=${() => set('kind', kind)}>${label}</label>`)}
    </fieldset>` : nothing}
    ${field(values, set, 'database', 'Database', { list: 'new-databases',
      hint: 'One that exists, or a new one.' })}
    <datalist id="new-databases">${databases(existing, values.kind).map((name) => html`
      <option value=${name}></option>`)}</datalist>
    ${field(values, set, 'name', 'Name')}
    ${values.kind === 'cosmos' ? containerFields(values, set) : collectionFields(values, set)}`;
  const made = { name: undefined };
  return ask({ title: 'New collection', action: 'Create', body,
    act: (values) => (values.kind === 'cosmos' ? createContainer(values)
      : createMongo(values, made)) }, { kind: 'mongo', indexing: 'all' });
}

function databases(existing, kind) {
  return [...new Set(existing.filter((each) => isContainer(each) === (kind === 'cosmos'))
    .map((each) => databaseName(each.database)))];
}

function collectionFields(values, set) {
  return html`${field(values, set, 'at', 'Date field of a TTL index', { optional: true,
    placeholder: 'createdAt',
    hint: 'Documents expire some time after this date. Empty: no TTL index.' })}
    ${values.at ? field(values, set, 'ttl', 'Seconds after the date', { type: 'number', min: 0 })
      : nothing}`;
}

function containerFields(values, set) {
  return html`${field(values, set, 'partition', 'Partition key', { placeholder: '/customer',
    hint: 'A path; for a hierarchical key up to three, with commas between them.' })}
    <div class="field wide"><label for="new-indexing">Indexing</label>
      <select id="new-indexing" @change=${(event) => set('indexing', event.target.value)}>
        ${INDEXING.map(([value, label]) => html`<option value=${value}
          .selected=${value === values.indexing}>${label}</option>`)}</select></div>
    ${values.indexing === 'some' ? field(values, set, 'paths', 'Indexed paths',
      { placeholder: '/customer/?, /items/[]/price/?', hint: 'With commas between them.' })
      : nothing}
    ${field(values, set, 'ttl', 'Default time to live, in seconds', { optional: true,
      type: 'number', min: -1, hint: 'Empty: off. -1: on, but only items with a ttl expire.' })}`;
}

const list = (text) => text.split(',').map((each) => each.trim()).filter(Boolean);

function indexingPolicy({ indexing, paths = '' }) {
  if (indexing === 'none') {
    return { indexingMode: 'none', automatic: false };
  }
  return indexing === 'all' ? undefined : { indexingMode: 'consistent', automatic: true,
    includedPaths: list(paths).map((path) => ({ path })), excludedPaths: [{ path: '/*' }] };
}

async function createContainer({ database, name, partition, ttl, ...more }) {
  await cosmos('POST', '/dbs', { body: { id: database } }).catch((error) => {
    if (error.status !== 409) {
      throw error;
    }
  });
  const paths = list(partition);
  await cosmos('POST', `/dbs/${encodeURIComponent(database)}/colls`, { body: { id: name,
    partitionKey: { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 },
    indexingPolicy: indexingPolicy(more), defaultTtl: ttl ? Number(ttl) : undefined } });
  return { database: `cosmos:${database}`, collection: name };
}

/** After a failure of the index, the collection exists already: only the index is tried again. */
async function createMongo({ database, name, ttl, at }, made) {
  if (made.name !== `${database}.${name}`) {
    await mongo(database, { create: name });
    made.name = `${database}.${name}`;
  }
  if (at) {
    await mongo(database, { createIndexes: name, indexes: [
      { key: { [at]: 1 }, name: `${at}_1`, expireAfterSeconds: Number(ttl) }] })
      .catch((error) => {
        error.message = `The collection was created, but not its index: ${error.message}`;
        throw error;
      });
  }
  return { database, collection: name };
}

/** Renames a collection. @returns {Promise<string | undefined>} where to go */
export async function renameCollection(collection) {
  const { database, collection: name } = collection;
  const renamed = await ask({ title: `Rename ${name}`, action: 'Rename',
    body: (values, set) => field(values, set, 'name', 'New name'),
    act: async (values) => {
      await mongo('admin', { renameCollection: `${database}.${name}`,
        to: `${database}.${values.name}` });
      return values.name;
    } }, { name });
  return renamed && toCollection(database, renamed);
}

/** Drops a collection after its name was typed. @returns {Promise<string | undefined>} */
export async function dropCollection(collection) {
  const { database, collection: name, documents } = collection;
  const dropped = await ask({ title: `Drop ${name}?`, action: 'Drop', danger: true, word: name,
    body: html`<p>The ${kindOf(collection)} ${databaseName(database)}.${name} with
      ${counted(documents, 'document')} and its indexes will be gone. This cannot be undone.</p>`,
    act: () => (isContainer(collection) ? cosmos('DELETE', containerPath(collection))
      : mongo(database, { drop: name })) });
  if (!dropped) {
    return undefined;
  }
  say(`${name} was dropped.`);
  return ROOT;
}

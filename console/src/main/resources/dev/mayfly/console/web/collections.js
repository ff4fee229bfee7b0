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
    autocomplete="off" @input=${(event) => set(name, event.target.value)}>
  ${more.hint ? html`<p class="hint">${more.hint}</p>` : nothing}</div>`;

/** Asks for a name and makes a collection. @param {Record<string, any>} session */
export function createCollection(session) {
  const body = (values, set) => html`
    <fieldset class="row wide"><legend class="unseen">Kind</legend>
      ${[['mongo', 'MongoDB collection'], ['cosmos', 'Cosmos DB container']]
        .filter(([kind]) => kind === 'mongo' || (session.everything && session.doors.cosmos))
        .map(([kind, label]) => html`<label class="choice"><input type="radio" name="kind"
          .checked=${values.kind === kind} @change=${() => set('kind', kind)}>${label}</label>`)}
    </fieldset>
    ${field(values, set, 'database', 'Database')}
    ${field(values, set, 'name', 'Name')}
    ${values.kind === 'cosmos'
      ? html`${field(values, set, 'partition', 'Partition key', { placeholder: '/customer' })}
        ${field(values, set, 'ttl', 'Default time to live, in seconds', { optional: true,
          type: 'number', min: -1,
          hint: 'Empty: off. -1: on, but only items with a ttl expire.' })}`
      : html`${field(values, set, 'at', 'Date field of a TTL index', { optional: true,
          placeholder: 'createdAt', hint: 'Empty: no TTL index.' })}
        ${values.at ? field(values, set, 'ttl', 'Seconds after the date', { type: 'number',
          min: 0 }) : nothing}`}`;
  return ask({ title: 'New collection', action: 'Create', body, act: create }, { kind: 'mongo' });
}

async function create({ kind, database, name, partition, ttl, at }) {
  if (kind === 'cosmos') {
    await cosmos('POST', '/dbs', { body: { id: database } }).catch((error) => {
      if (error.status !== 409) {
        throw error;
      }
    });
    await cosmos('POST', `/dbs/${encodeURIComponent(database)}/colls`, { body: { id: name,
      partitionKey: { paths: [partition], kind: 'Hash', version: 2 },
      defaultTtl: ttl ? Number(ttl) : undefined } });
    return { database: `cosmos:${database}`, collection: name };
  }
  await mongo(database, { create: name });
  if (at) {
    await mongo(database, { createIndexes: name, indexes: [
      { key: { [at]: 1 }, name: `${at}_1`, expireAfterSeconds: Number(ttl ?? 0) }] });
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

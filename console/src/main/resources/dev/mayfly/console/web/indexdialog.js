import { html, nothing } from 'lit';
import { ask } from './dialogs.js';
import { mongo, raw } from './commands.js';
import { counted } from './format.js';
import { say } from './messages.js';
import { toExtendedJson } from './shell.js';

const input = (values, set, name, label, more = {}) => html`<div class="field wide">
  <label for="index-${name}">${label}</label><input id="index-${name}" .value=${values[name] ?? ''}
    type=${more.type ?? 'text'} min="0" ?required=${more.required} autocomplete="off"
    placeholder=${more.placeholder ?? ''}
    @input=${(event) => set(name, event.target.value)}>
  ${more.hint ? html`<p class="hint">${more.hint}</p>` : nothing}</div>`;

/**
 * Asks for an index and creates it; a TTL index only after a preview of what it expires.
 * @returns {Promise<boolean>} whether it was created
 */
export async function createIndex(collection, { ttl = false } = {}) {
  const body = (values, set) => html`
    ${ttl ? input(values, set, 'field', 'Date field', { required: true, placeholder: 'createdAt' })
      : input(values, set, 'keys', 'Keys', { required: true, placeholder: '{"user": 1}' })}
    ${ttl ? nothing : html`<label class="choice"><input type="checkbox" .checked=${values.unique}
      @change=${(event) => set('unique', event.target.checked)}>Unique</label>`}
    ${input(values, set, 'seconds', ttl ? 'Seconds after the date'
      : 'Seconds until documents expire (TTL index)', { type: 'number', required: ttl,
      hint: ttl ? 'Documents without a date in the field never expire.' : 'Empty: no TTL index.' })}
    ${input(values, set, 'filter', 'Only documents that match (partial filter)',
      { placeholder: '{"state": "done"}' })}`;
  const index = await ask({ title: ttl ? 'Add a TTL index' : 'Create an index', body,
    action: 'Next', act: (values) => preview(collection, definition(values)) });
  return index ? confirm(collection, index) : false;
}

function definition({ field, keys, seconds, filter, unique }) {
  const key = field ? { [field]: 1 } : JSON.parse(toExtendedJson(keys));
  return { key, name: Object.entries(key).map(([name, order]) => `${name}_${order}`).join('_'),
    unique: unique || undefined,
    expireAfterSeconds: seconds === undefined || seconds === '' ? undefined : Number(seconds),
    partialFilterExpression: filter ? raw(toExtendedJson(filter)) : undefined };
}

async function preview(collection, index) {
  if (index.expireAfterSeconds === undefined) {
    return { index, documents: 0 };
  }
  const { reply } = await mongo(collection.database,
    { mayflyWhatIf: collection.collection, indexes: [index] });
  return { index, documents: Number(plain(JSON.parse(reply).expiresNow.documents)) };
}

function plain(value) {
  return value?.$numberLong ?? value?.$numberInt ?? value;
}

async function confirm(collection, { index, documents }) {
  const made = await ask({ title: `Create index ${index.name}?`, danger: documents > 0,
    action: 'Create', word: documents > 0 ? collection.collection : undefined,
    body: html`<p class=${documents > 0 ? 'danger-text' : ''}>${documents > 0
      ? `${counted(documents, 'document')} would expire at once.`
      : 'Nothing expires at once.'}</p>`,
    act: () => mongo(collection.database, { createIndexes: collection.collection, indexes: [index],
      maxExpireNow: index.expireAfterSeconds === undefined ? undefined : documents }) });
  if (made) {
    say(`Index ${index.name} was created.`);
  }
  return Boolean(made);
}

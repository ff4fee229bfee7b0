import { html, nothing } from 'lit';
import { ask } from './dialogs.js';
import { removeAll, removeMatches, setTtl, setTtlOfMatches } from './bulk.js';
import { counted } from './format.js';
import { countMatches, mustBeWhole } from './matches.js';
import { sayError } from './messages.js';
import { TEXTS } from './texts.js';

/* Questions before work on many documents. */

/** Deletes the selected documents. */
export async function deleteSelected({ collection, keys, versions }) {
  const sure = await ask({ title: `Delete ${counted(keys.length, 'document')}?`, action: 'Delete',
    danger: true, body: html`<p>This cannot be undone. Documents that were changed since they were
      read here are left alone.</p>` });
  return sure ? removeAll(collection, keys, versions) : undefined;
}

/** Counts first, wants the name typed, then deletes all that match. */
export async function deleteMatches({ collection, query, paths }) {
  try {
    mustBeWhole(collection, query);
    const total = await countMatches(collection, query);
    const sure = await ask({ title: `Delete ${counted(total, 'document')}?`, danger: true,
      action: 'Delete', word: collection.collection,
      body: html`${shownQuery(query)}
        <p>This cannot be undone. It works in batches and can be stopped.</p>` });
    return sure ? await removeMatches(collection, query, total, paths) : undefined;
  } catch (error) {
    sayError(error);
    return undefined;
  }
}

function shownQuery(query) {
  return html`<p>All documents that match:</p><pre class="copy">${query.text}</pre>`;
}

/** Sets or removes `ttl` of the selected documents. */
export async function setTtlOfSelected({ collection, keys, versions }) {
  const answer = await ask({ title: `Set ttl of ${counted(keys.length, 'document')}`,
    action: 'Set', act: ttlOf, body: (values, set) => html`${ttlField(collection, values, set)}
      <p class="hint">Documents that were changed since they were read here are left alone.</p>` },
  {});
  return answer ? setTtl(collection, keys, versions, answer.ttl) : undefined;
}

/** Counts first, wants the name typed, then sets or removes `ttl` of all that match. */
export async function setTtlOfAll({ collection, query, paths }) {
  try {
    mustBeWhole(collection, query);
    const total = await countMatches(collection, query);
    const answer = await ask({ title: `Set ttl of ${counted(total, 'document')}`, action: 'Set',
      word: collection.collection, act: ttlOf, body: (values, set) => html`
        ${ttlField(collection, values, set)}${shownQuery(query)}
        <p>It works in batches and can be stopped.</p>` }, {});
    return answer ? await setTtlOfMatches(collection, query, total, paths, answer.ttl) : undefined;
  } catch (error) {
    sayError(error);
    return undefined;
  }
}

function ttlField(collection, values, set) {
  return html`<div class="field">
    <label for="bulk-ttl">ttl in seconds</label><input id="bulk-ttl" type="number" min="-1"
      max="2147483647" step="1" @input=${(event) => set('ttl', event.target.value)}>
    <p class="hint">-1: never expire. Empty: remove the field. The time counts from now, because
      this writes each document.</p></div>
    ${collection.rules.default === undefined
      ? html`<p class="warn-text">${TEXTS.ttlWithoutRule}</p>` : nothing}`;
}

function ttlOf({ ttl }) {
  const value = ttl ? Number(ttl) : undefined;
  if (value === 0) {
    throw new Error('A ttl is -1 or 1 to 2147483647.');
  }
  return { ttl: value === undefined ? undefined : String(value) };
}

import { html } from 'lit';
import { ask } from './dialogs.js';
import { removeAll, removeMatches, setTtl } from './bulk.js';
import { countMatches } from './documents.js';
import { counted } from './format.js';
import { sayError } from './messages.js';

/* Questions before work on many documents. */

/** Deletes the selected documents. */
export async function deleteSelected({ collection, keys }) {
  const sure = await ask({ title: `Delete ${counted(keys.length, 'document')}?`, action: 'Delete',
    danger: true, body: html`<p>This cannot be undone.</p>` });
  return sure ? removeAll(collection, keys) : undefined;
}

/** Counts first, wants the name typed, then deletes all that match. */
export async function deleteMatches({ collection, query, paths }) {
  try {
    const total = await countMatches(collection, query);
    const sure = await ask({ title: `Delete ${counted(total, 'document')}?`, danger: true,
      action: 'Delete', word: collection.collection,
      body: html`<p>All documents that match:</p><pre class="copy">${query.text}</pre>
        <p>This cannot be undone. It works in batches and can be stopped.</p>` });
    return sure ? await removeMatches(collection, { ...query, sort: '', projection: '' }, total,
      paths)
      : undefined;
  } catch (error) {
    sayError(error);
    return undefined;
  }
}

/** Sets or removes `ttl` of the selected documents. */
export async function setTtlOfSelected({ collection, keys }) {
  const answer = await ask({ title: `Set ttl of ${counted(keys.length, 'document')}`,
    action: 'Set', body: (values, set) => html`<div class="field">
      <label for="bulk-ttl">ttl in seconds</label><input id="bulk-ttl" type="number" min="-1"
        @input=${(event) => set('ttl', event.target.value)}>
      <p class="hint">-1: never expire. Empty: remove the field. It counts from now, because this
        writes each document.</p></div>`,
    act: (values) => values }, {});
  return answer ? setTtl(collection, keys, answer.ttl ? String(Number(answer.ttl)) : undefined)
    : undefined;
}

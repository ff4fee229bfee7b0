import { html } from 'lit';
import { ask } from './dialogs.js';
import { readDocument } from './documents.js';
import { indent } from './ejson.js';
import { shownKey } from './keytext.js';

/** Shows a document in a dialog. */
export async function showDocument(collection, key) {
  const text = await readDocument(collection, key).catch((error) => error.message);
  ask({ title: shownKey(key), action: 'Close', wide: true,
    body: html`<pre class="copy" tabindex="0">${text === undefined
      ? 'The document does not exist any more.' : shown(text)}</pre>` });
}

function shown(text) {
  return text.startsWith('{') ? indent(text) : text;
}

import { html, nothing } from 'lit';
import { ask } from './dialogs.js';
import { insert } from './documents.js';
import { toExtendedJson } from './shell.js';
import { counted } from './format.js';
import { say } from './messages.js';
import { isContainer } from './texts.js';
import { splitDocuments } from './lines.js';
import './elements/m-editor.js';

const MOST = 1000;

/**
 * Asks for documents and inserts them: one, an array, or one a line.
 * @param {string} [text] to begin with
 */
export async function insertDocuments(collection, text) {
  const start = text ?? (isContainer(collection) ? '{\n  "id": ""\n}' : '{\n  \n}');
  const body = (values, set) => html`
    <p class="muted">One document, an array, or one document a line; up to 1,000.</p>
    <m-editor label="Documents to insert" .value=${start}
      @edited=${(event) => set('text', event.detail)}></m-editor>
    ${isContainer(collection) ? nothing : html`<p class="hint">Also as in a shell:
      {at: ISODate("2026-01-01"), n: NumberLong("5")}. Without _id the server makes one.</p>`}`;
  const done = await ask({ title: 'Insert documents', action: 'Insert', wide: true, body,
    act: (values) => send(collection, values.text ?? start) }, {});
  if (done) {
    say(`${counted(done.inserted, 'document')} inserted.`);
  }
  return done;
}

async function send(collection, text) {
  const texts = splitDocuments(text).map((each) =>
    (isContainer(collection) ? each : toExtendedJson(each)));
  if (texts.length > MOST) {
    throw new Error(`These are ${texts.length} documents; up to ${MOST} can be inserted at once. `
      + 'Use the import for more.');
  }
  const answer = await insert(collection, texts);
  if (answer.refused?.length) {
    const [first] = answer.refused;
    throw new Error(`${counted(answer.inserted, 'document')} inserted, ${answer.refused.length} `
      + `refused. Document ${first.index + 1}: ${first.error}`);
  }
  return answer;
}

import { html, nothing } from 'lit';
import { ask } from './dialogs.js';
import { insert } from './documents.js';
import { toExtendedJson } from './shell.js';
import { counted } from './format.js';
import { say } from './messages.js';
import { isContainer } from './texts.js';
import { splitDocuments } from './lines.js';
import { violations } from './violations.js';
import './elements/m-editor.js';

const MOST = 1000;

/**
 * Asks for documents and inserts them: one, an array, or one a line.
 * @param {{text?: string, paths?: string[]}} [start] text to begin with, or partition key paths
 */
export async function insertDocuments(collection, { text, paths } = {}) {
  const start = text ?? (isContainer(collection) ? emptyItem(paths ?? []) : '{\n  \n}');
  const body = (values, set) => html`
    <p class="muted">One document, an array, or one document a line; up to 1,000.</p>
    <m-editor label="Documents to insert" .value=${values.text ?? start}
      @edited=${(event) => set('text', event.detail)}></m-editor>
    ${isContainer(collection) ? nothing : html`<p class="hint">Also as in a shell:
      {at: ISODate("2026-01-01"), n: NumberLong("5")}. Without _id the server makes one.</p>`}`;
  const all = { inserted: 0, keys: [] };
  const act = async (values, set) => {
    const answer = await send(collection, values.text ?? start);
    all.inserted += answer.inserted;
    all.keys.push(...answer.keys);
    if (answer.problem) {
      set('text', answer.rest);
      throw new Error(answer.problem);
    }
  };
  await ask({ title: 'Insert documents', action: 'Insert', wide: true, body, act }, {});
  if (all.inserted > 0) {
    say(`${counted(all.inserted, 'document')} inserted.`);
  }
  return all.inserted > 0 ? all : undefined;
}

/** An item with the fields that every item of the container needs. */
function emptyItem(paths) {
  const item = { id: '' };
  for (const path of paths) {
    const names = path.split('/').slice(1);
    const last = names.pop();
    const place = names.reduce((at, name) => (at[name] ??= {}), item);
    place[last] ??= '';
  }
  return JSON.stringify(item, null, 2);
}

/** Sends documents. Those that are refused are the rest: a second try sends no other again. */
async function send(collection, text) {
  const written = splitDocuments(text);
  if (written.length > MOST) {
    throw new Error(`These are ${written.length} documents; up to ${MOST} can be inserted at once. `
      + 'Use the import for more.');
  }
  const texts = written.map((each) => (isContainer(collection) ? each : toExtendedJson(each)));
  const answer = await insert(collection, texts);
  if (answer.refused.length === 0) {
    return answer;
  }
  const [first] = answer.refused;
  const rules = violations(first.details).map(({ path, text: why }) => `${path} ${why}`.trim());
  const others = answer.inserted ? `${counted(answer.inserted, 'document')} inserted. ` : '';
  return { ...answer, rest: answer.refused.map(({ index }) => written[index]).join('\n'),
    problem: `${others}${counted(answer.refused.length, 'document')} refused, which `
      + `${answer.refused.length === 1 ? 'is' : 'are'} left above: `
      + [first.error, ...rules].join(' · ') };
}

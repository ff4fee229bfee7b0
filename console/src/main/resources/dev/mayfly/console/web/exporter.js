import { html } from 'lit';
import { runBatches } from './bulk.js';
import { csvOf } from './csv.js';
import { ask } from './dialogs.js';
import { firstPage, firstQuery, nextPage, release } from './documents.js';
import { bytes, counted } from './format.js';
import { say } from './messages.js';
import { databaseName } from './texts.js';
import './elements/m-copy.js';

/* Documents to a file. Lines and arrays contain the texts as the server sent them. */

const BATCH = 200;
const FORMATS = [['lines', 'One document a line', 'jsonl'], ['array', 'An array', 'json'],
  ['csv', 'CSV', 'csv']];

/** Largest export of the page, in bytes. */
export const MOST_BYTES = 256 << 20;

/** Command that exports a collection without the browser. */
export function exportCommand({ database, collection, dialect }) {
  const prefix = dialect === 'cosmos' ? 'cosmos:' : '';
  return `mayfly export ${prefix}${databaseName(database)}.${collection} ${collection}.jsonl`;
}

/** Choice of the format, with a word about types. */
export function formatField(format, changed) {
  return html`<div class="field"><label for="export-format">Format</label>
    <select id="export-format" @change=${(event) => changed(event.target.value)}>
      ${FORMATS.map(([value, label]) => html`<option value=${value}
        .selected=${value === format}>${label}</option>`)}</select></div>
    <p class="hint">${format === 'csv' ? 'CSV loses types: use it for spreadsheets only.'
      : 'All types are kept.'}</p>`;
}

/**
 * Asks what to export and how, and exports it.
 * @param {import('./resultset.js').ResultSet} results what is shown
 */
export async function exportShown(collection, results) {
  const what = results.soonest ? 'all documents that expire, soonest first' : results.asked.text;
  const body = (values, set) => html`
    <fieldset class="stack tight"><legend class="unseen">What</legend>
      ${choice(values, set, 'shown', 'What this query finds')}
      <pre class="copy">${what}</pre>
      ${choice(values, set, 'all', `All ${counted(collection.documents, 'document')}`)}</fieldset>
    ${formatField(values.format, (format) => set('format', format))}`;
  const chosen = await ask({ title: 'Export documents', action: 'Export', body,
    act: (values) => values }, { what: 'shown', format: 'lines' });
  if (chosen) {
    await exportPages(collection, chosen.what === 'all' ? pagesOfAll(collection)
      : { first: () => results.firstPage({ most: BATCH }),
        next: (next) => results.nextPage(next, { most: BATCH }) }, chosen);
  }
}

function choice(values, set, what, label) {
  return html`<label class="choice"><input type="radio" name="what" .checked=${values.what === what}
    @change=${() => set('what', what)}>${label}</label>`;
}

/** Exports a whole collection. */
export function exportAll(collection, format) {
  return exportPages(collection, pagesOfAll(collection), { format, what: 'all' });
}

function pagesOfAll(collection) {
  const query = firstQuery(collection);
  return { first: () => firstPage(collection, query, { most: BATCH }),
    next: (next) => nextPage(collection, query, next, { most: BATCH }) };
}

async function exportPages(collection, pages, { format, what }) {
  const texts = [];
  let size = 0;
  let next;
  const total = what === 'all' ? collection.documents : undefined;
  const state = await runBatches('Exporting', total, async (note) => {
    const page = next ? await pages.next(next) : await pages.first();
    texts.push(...page.texts);
    size += page.texts.reduce((sum, text) => sum + text.length, 0);
    next = page.next;
    note(page.texts.length);
    if (size > MOST_BYTES) {
      throw new Error(`These are more than ${bytes(MOST_BYTES)}. Use the command line: ${
        exportCommand(collection)}`);
    }
    return Boolean(next);
  });
  release(collection, next, 0);
  if (!state.failed && !state.stopped) {
    state.close();
    download(collection, texts, format);
    say(`${counted(texts.length, 'document')} exported.`);
  }
}

function download(collection, texts, format) {
  const content = { lines: () => texts.map((text) => `${text}\n`),
    array: () => ['[\n', texts.join(',\n'), '\n]\n'], csv: () => csvOf(texts) }[format]();
  const ending = FORMATS.find(([name]) => name === format)[2];
  save(content, `${collection.collection.replace(/[^\w.-]/g, '_')}.${ending}`);
}

/** Lets the browser save a file. @param {BlobPart[]} content @param {string} name */
export function save(content, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(content, { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

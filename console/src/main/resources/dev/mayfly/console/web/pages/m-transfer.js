import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { firstPage, firstQuery, insert, nextPage } from '../documents.js';
import { count, counted } from '../format.js';
import { csvOf } from '../csv.js';
import { splitDocuments } from '../lines.js';
import { databaseName, isContainer } from '../texts.js';
import { toExtendedJson } from '../shell.js';
import '../elements/m-copy.js';

const MOST_BYTES = 256 << 20;
const BATCH = 200;
const FORMATS = [['lines', 'One document a line'], ['array', 'An array'], ['csv', 'CSV']];

/** Import of a file in batches, export of all documents; both can be stopped. */
class Transfer extends PageElement {
  static properties = {
    collection: { attribute: false },
    writable: { type: Boolean },
    format: { state: true },
    working: { state: true },
    imported: { state: true },
  };

  constructor() {
    super();
    this.format = 'lines';
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stopped = true;
  }

  async export() {
    this.stopped = false;
    const texts = [];
    const query = firstQuery(this.collection);
    this.working = { what: 'Read', done: 0 };
    try {
      let page = await firstPage(this.collection, query, { most: BATCH });
      for (;;) {
        texts.push(...page.texts);
        this.working = { what: 'Read', done: texts.length, total: this.collection.documents };
        if (!page.next || this.stopped) {
          break;
        }
        page = await nextPage(this.collection, query, page.next, { most: BATCH });
      }
      if (!this.stopped) {
        this.download(texts);
      }
      this.working = undefined;
    } catch (error) {
      this.working = { what: 'Read', done: texts.length, problem: error.message };
    }
  }

  download(texts) {
    const content = { lines: () => texts.map((text) => `${text}\n`),
      array: () => ['[\n', texts.join(',\n'), '\n]\n'], csv: () => csvOf(texts) }[this.format]();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(content, { type: 'application/octet-stream' }));
    link.download = `${this.collection.collection.replace(/[^\w.-]/g, '_')}.${
      { lines: 'jsonl', array: 'json', csv: 'csv' }[this.format]}`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async import(event) {
    event.preventDefault();
    const file = event.target.querySelector('input[type="file"]').files[0];
    if (!file) {
      return;
    }
    this.stopped = false;
    this.imported = { name: file.name, inserted: 0, refused: [], at: 0, total: 0 };
    try {
      const texts = splitDocuments(await file.text());
      this.imported = { ...this.imported, texts, total: texts.length };
      await this.goOn();
    } catch (error) {
      this.imported = { ...this.imported, problem: error.message };
    }
  }

  /** Goes on where the import was stopped. */
  async goOn() {
    this.stopped = false;
    const state = { ...this.imported, problem: undefined };
    try {
      while (state.at < state.total && !this.stopped) {
        const part = state.texts.slice(state.at, state.at + BATCH).map((text) =>
          (isContainer(this.collection) ? text : toExtendedJson(text)));
        const answer = await insert(this.collection, part);
        state.inserted += answer.inserted;
        (answer.refused ?? []).forEach((each) => state.refused.push(
          { number: state.at + each.index + 1, error: each.error }));
        state.at += part.length;
        this.imported = { ...state };
      }
    } catch (error) {
      this.imported = { ...state, problem: error.message };
    }
    this.imported = { ...this.imported, stopped: this.stopped };
    this.fire('collections-changed');
  }

  render() {
    return html`<div class="columns">${this.exportCard()}${this.writable ? this.importCard() :
      nothing}
    </div>`;
  }

  exportCard() {
    const { database, collection, bytes } = this.collection;
    const prefix = isContainer(this.collection) ? 'cosmos:' : '';
    const name = `${prefix}${databaseName(database)}.${collection}`;
    return html`<section class="card"><h2>Export</h2>
      ${bytes > MOST_BYTES ? html`<p>The collection is larger than 256 MiB. Use the command
        line:</p>`
        : html`<div class="field"><label for="export-format">Format</label>
        <select id="export-format" @change=${(event) => { this.format = event.target.value; }}>
          ${FORMATS.map(([value, label]) => html`<option
            value=${value}>${label}</option>`)}</select></div>
        <p class="hint">${this.format === 'csv' ? 'CSV loses types: use it for spreadsheets only.'
          : 'All types are kept.'}</p>
        <div class="row">${this.working && !this.working.problem
          ? html`<button @click=${() => { this.stopped = true; }}>Stop</button>
            <span role="status">${count(this.working.done)} read…</span>`
          : html`<button class="primary" @click=${this.export}>Export all
            ${counted(this.collection.documents, 'document')}</button>`}</div>
        ${this.working?.problem ? html`<p class="problem" role="alert">${this.working.problem}</p>`
          : nothing}
        <p class="muted">Or with the command line:</p>`}
      <m-copy name="export command" text="mayfly export ${name} ${collection}.jsonl"></m-copy>
        </section>`;
  }

  importCard() {
    const state = this.imported;
    const ended = state && (state.at >= state.total || state.stopped || state.problem);
    return html`<section class="card"><h2>Import</h2>
      <form class="stack tight" @submit=${this.import}><div class="field">
        <label for="import-file">File with one document a line, or an array</label>
        <input id="import-file" type="file" accept=".json,.jsonl,.ndjson,.txt"></div>
        <div><button class="primary" ?disabled=${state && !ended}>Import</button></div></form>
      ${state ? html`<progress max=${Math.max(1, state.total)} .value=${state.at}
          aria-label="Import"></progress>
        <p role="status">${count(state.inserted)} inserted, ${count(state.refused.length)} refused
          of
          ${count(state.total)}.</p>
        ${state.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
        <div class="row">${ended ? nothing : html`<button @click=${() => { this.stopped =
          true; }}>Pause
          </button>`}
          ${ended && state.at < state.total && state.texts ? html`<button @click=${this.goOn}>Go on
            after ${count(state.at)}</button>` : nothing}</div>
        ${state.refused.length ? html`<ul class="stack tight">${state.refused.slice(0,
          20).map((each) =>
          html`<li class="problem">Document ${count(each.number)}: ${each.error}</li>`)}</ul>`
          : nothing}` : nothing}</section>`;
  }
}

customElements.define('m-transfer', Transfer);

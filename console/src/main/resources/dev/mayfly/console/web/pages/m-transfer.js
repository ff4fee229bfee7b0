import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { MOST_BYTES, exportAll, exportCommand, formatField } from '../exporter.js';
import { bytes, count, counted } from '../format.js';
import { Import } from '../importer.js';
import '../elements/m-copy.js';

/** Import of a file in batches, export of all documents; both can be stopped. */
class Transfer extends PageElement {
  static properties = {
    collection: { attribute: false },
    writable: { type: Boolean },
    format: { state: true },
    importing: { state: true },
  };

  constructor() {
    super();
    this.format = 'lines';
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.pause();
  }

  pause() {
    if (this.importing) {
      this.importing.paused = true;
      this.requestUpdate();
    }
  }

  import(event) {
    event.preventDefault();
    const file = event.target.querySelector('input[type="file"]').files[0];
    if (file) {
      this.importing = new Import(this.collection, file, () => this.requestUpdate());
      this.goOn();
    }
  }

  async goOn() {
    await this.importing.run();
    this.fire('collections-changed');
  }

  render() {
    return html`<div class="columns">${this.exportCard()}
      ${this.writable ? this.importCard() : nothing}</div>`;
  }

  exportCard() {
    return html`<section class="card"><h2>Export</h2>
      ${this.collection.bytes > MOST_BYTES
        ? html`<p>The collection is larger than 256 MiB. Use the command line:</p>`
        : html`${formatField(this.format, (format) => { this.format = format; })}
          <div><button class="primary"
            @click=${() => exportAll(this.collection, this.format)}>Export all
            ${counted(this.collection.documents, 'document')}</button></div>
          <p class="hint">To export what a query finds, use Export… on the page of documents.</p>
          <p class="muted">Or with the command line:</p>`}
      <m-copy name="export command" text=${exportCommand(this.collection)}></m-copy></section>`;
  }

  importCard() {
    const state = this.importing;
    return html`<section class="card"><h2>Import</h2>
      <form class="stack tight" @submit=${this.import}><div class="field">
        <label for="import-file">File with one document a line, or an array</label>
        <input id="import-file" type="file" required accept=".json,.jsonl,.ndjson,.txt">
        <p class="hint">Documents whose id exists are refused, never replaced.</p></div>
        <div><button class="primary" ?disabled=${state?.running}>Import</button></div></form>
      ${state ? this.progress(state) : nothing}</section>`;
  }

  progress(state) {
    const { file, inserted, refused, refusals } = state;
    const end = state.ended ? 'Done' : state.running ? (state.paused ? 'Pausing' : 'Importing')
      : 'Paused';
    return html`<progress max=${Math.max(1, file.size)} .value=${state.bytes}
        aria-label="Import"></progress>
      <p role="status">${end}: ${counted(inserted, 'document')} inserted, ${count(refused)} refused;
        ${bytes(state.bytes)} of ${bytes(file.size)} read.</p>
      ${state.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
      <div class="row">
        ${state.running ? html`<button ?disabled=${state.paused}
          @click=${this.pause}>Pause</button>` : nothing}
        ${state.running || state.ended ? nothing : html`<button @click=${this.goOn}>Go on after
          ${counted(inserted + refused, 'document')}</button>`}</div>
      ${refusals.length ? html`<ul class="stack tight">${refusals.map((each) =>
        html`<li class="problem">Document ${count(each.number)}: ${each.error}</li>`)}
        ${refused > refusals.length ? html`<li class="muted">and ${count(refused
          - refusals.length)} more</li>` : nothing}</ul>` : nothing}`;
  }
}

customElements.define('m-transfer', Transfer);

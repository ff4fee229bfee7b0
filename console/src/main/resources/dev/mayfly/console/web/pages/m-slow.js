import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { get } from '../api.js';
import { count, toDate, when } from '../format.js';
import '../elements/m-grid.js';

/** Slow operations of both doors: shapes, no values. */
class Slow extends PageElement {
  static properties = { door: { state: true }, words: { state: true }, opened: { state: true } };

  constructor() {
    super();
    this.door = '';
    this.words = '';
    this.loader = new Loader(this, (signal) => get('/slow', signal), 5000);
  }

  connectedCallback() {
    super.connectedCallback();
    this.loader.run();
  }

  rows() {
    return (this.loader.value?.operations ?? []).filter((each) =>
      (!this.door || each.door === this.door)
      && `${each.namespace} ${each.operation}`.toLowerCase().includes(this.words.toLowerCase()));
  }

  render() {
    const rows = this.rows();
    return html`<div class="stack">${this.loader.render()}<div class="row">
        <select aria-label="Door" @change=${(event) => { this.door = event.target.value; }}>
          <option value="">Both doors</option><option value="mongo">MongoDB</option>
          <option value="cosmos">Cosmos DB</option></select>
        <input data-filter type="search" placeholder="Collection or operation"
          aria-label="Collection or operation"
          @input=${(event) => { this.words = event.target.value; }}></div>
      ${rows.length === 0 ? html`<div class="card empty"><p>No operation took
          ${this.loader.value?.slowMillis ?? 100} ms or more (setting slow-millis).</p></div>`
        : html`<m-grid label="Slow operations" .rows=${rows} .total=${rows.length}
          .columns=${COLUMNS}
          .opened=${this.opened} @open=${(event) => { this.opened = event.detail; }}></m-grid>`}
      ${this.opened ? html`<section class="card"><h2>${this.opened.operation}
        ${this.opened.namespace}</h2><pre tabindex="0">${JSON.stringify(this.opened, null, 2)}</pre>
        </section>` : nothing}</div>`;
  }
}

const COLUMNS = [
  { label: 'when', width: '170px', cell: (row) => when(toDate(row.at)) },
  { label: 'ms', width: '80px', cell: (row) => count(row.millis) },
  { label: 'door', width: '80px', cell: (row) => row.door },
  { label: 'operation', width: '130px', cell: (row) => row.operation },
  { label: 'collection', width: 'minmax(140px, 220px)', cell: (row) => row.namespace ?? '' },
  { label: 'looked at', width: '100px', cell: (row) => (row.documentsExamined === undefined ? ''
    : count(row.documentsExamined)) },
  { label: 'shape', width: 'minmax(200px, 1fr)', cell: (row) =>
    html`<code>${row.shape ?? ''}</code>` },
];

customElements.define('m-slow', Slow);

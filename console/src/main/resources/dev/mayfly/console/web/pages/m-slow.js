import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { get } from '../api.js';
import { count, toDate, when } from '../format.js';
import { go, toCollection } from '../router.js';
import { propose } from '../queries.js';
import { slowQuery } from '../slowquery.js';
import { noneSlow } from '../texts.js';
import '../elements/m-grid.js';

const SPANS = [['', 'Any time'], ['300', 'Last 5 minutes'], ['3600', 'Last hour'],
  ['86400', 'Last day']];

/** Slow operations of both doors: shapes, no values. */
class Slow extends PageElement {
  static properties = { door: { state: true }, words: { state: true }, span: { state: true },
    opened: { state: true } };

  constructor() {
    super();
    this.door = '';
    this.words = '';
    this.span = '';
    this.loader = new Loader(this, (signal) => get('/slow', signal), 5000);
  }

  connectedCallback() {
    super.connectedCallback();
    this.loader.run();
  }

  rows() {
    const { operations = [], now } = this.loader.value ?? {};
    const since = this.span ? toDate(now) - Number(this.span) * 1000 : 0;
    return operations.filter((each) => (!this.door || each.door === this.door)
      && toDate(each.at) >= since
      && `${each.namespace} ${each.operation}`.toLowerCase().includes(this.words.toLowerCase()));
  }

  render() {
    const rows = this.rows();
    const { operations = [], slowMillis } = this.loader.value ?? {};
    return html`<div class="stack">${this.loader.render()}<div class="row">
        <select aria-label="Door" @change=${(event) => { this.door = event.target.value; }}>
          <option value="">Both doors</option><option value="mongo">MongoDB</option>
          <option value="cosmos">Cosmos DB</option></select>
        <select aria-label="Time" @change=${(event) => { this.span = event.target.value; }}>
          ${SPANS.map(([seconds, label]) => html`<option value=${seconds}>${label}</option>`)}
        </select>
        <input data-filter type="search" placeholder="Collection or operation"
          aria-label="Collection or operation"
          @input=${(event) => { this.words = event.target.value; }}></div>
      ${this.loader.value && rows.length === 0 ? html`<div class="card empty"><p>${
        operations.length > 0 ? 'No slow operation matches.' : noneSlow(slowMillis)}</p></div>`
        : nothing}
      ${rows.length > 0 ? html`<m-grid label="Slow operations" .rows=${rows} .total=${rows.length}
        .columns=${COLUMNS} .opened=${this.opened}
        @open=${(event) => { this.opened = event.detail; }}></m-grid>` : nothing}
      ${this.opened ? this.detail(this.opened) : nothing}</div>`;
  }

  detail(operation) {
    const query = slowQuery(operation);
    const { at, shape, ...facts } = operation;
    return html`<section class="card"><h2>${operation.operation} ${operation.namespace}</h2>
      <dl class="facts"><dt>when</dt><dd>${when(toDate(at))}</dd>
        ${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt>
          <dd>${typeof value === 'object' ? JSON.stringify(value) : value}</dd>`)}</dl>
      ${shape ? html`<h3>Shape</h3><pre tabindex="0" role="region"
        aria-label="Shape">${text(shape, 2)}</pre>` : nothing}
      ${query ? html`<div><button @click=${() => open(query)}>Open as a query</button></div>
        <p class="hint">Values are not kept: each <code>?</code> stands for one.</p>` : nothing}
    </section>`;
  }
}

/** Opens the documents of the collection with the shape as query, which is not run. */
function open({ database, collection, ...query }) {
  propose({ database, collection }, query);
  go(toCollection(database, collection, 'documents'));
}

function text(shape, indent) {
  return shape === undefined || typeof shape === 'string' ? shape ?? ''
    : JSON.stringify(shape, null, indent);
}

const COLUMNS = [
  { label: 'when', width: '190px', cell: (row) => when(toDate(row.at)) },
  { label: 'ms', width: '80px', cell: (row) => count(row.millis) },
  { label: 'door', width: '80px', cell: (row) => row.door },
  { label: 'operation', width: '130px', cell: (row) => row.operation },
  { label: 'collection', width: 'minmax(140px, 220px)', cell: (row) => row.namespace ?? '' },
  { label: 'looked at', width: '100px', cell: (row) => (row.documentsExamined === undefined ? ''
    : count(row.documentsExamined)) },
  { label: 'shape', width: 'minmax(200px, 1fr)', cell: (row) =>
    html`<code>${text(row.shape)}</code>` },
];

customElements.define('m-slow', Slow);

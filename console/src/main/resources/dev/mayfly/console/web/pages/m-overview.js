import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { collectionPath, get, post } from '../api.js';
import { endpoint, mongoUri } from '../addresses.js';
import { bytes, count, duration, toDate, when } from '../format.js';
import { sayError } from '../messages.js';
import { ROOT, go, toCollection } from '../router.js';
import { TEXTS, databaseName, noneSlow, rulesInShort } from '../texts.js';
import '../elements/m-copy.js';

const DUE_MILLIS = 30000;
const MOST_ASKED = 40;
const MOST_MILLIS = 500;

/** Overview of the server: readiness, what is due, lag, operations, the slowest of late. */
class Overview extends PageElement {
  static properties = {
    status: { attribute: false },
    collections: { attribute: false },
    writable: { type: Boolean },
    session: { attribute: false },
  };

  constructor() {
    super();
    this.due = new Loader(this, (signal) => this.readDue(signal), DUE_MILLIS);
    this.slow = new Loader(this, (signal) => get('/slow', signal), DUE_MILLIS);
    this.history = new Loader(this, (signal) => get('/history', signal), 10000);
    this.connect = new Loader(this, (signal) => get('/connect', signal));
    this.moved = () => this.due.run();
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('clock-moved', this.moved);
    this.slow.run();
    this.history.run();
    this.connect.run();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('clock-moved', this.moved);
  }

  /** Forecasts are read again every 30 s, and at once when collections appear or go. */
  willUpdate(changed) {
    if (changed.has('collections') && this.collections
        && changed.get('collections')?.length !== this.collections.length && !this.due.busy) {
      this.due.run();
    }
  }

  /** Forecasts of the largest collections with rules; the page reports what it left out. */
  async readDue(signal) {
    const all = (this.collections ?? []).filter((each) => rulesInShort(each.rules) !== 'off'
      && each.documents > 0).sort((a, b) => b.documents - a.documents);
    const asked = all.slice(0, MOST_ASKED);
    const rows = [];
    for (const each of asked) {
      rows.push({ ...each, ...await due(each, signal) });
    }
    const left = all.length - asked.length;
    return { rows: rows.sort((a, b) => b.hour - a.hour || b.day - a.day), left,
      exact: left === 0 && rows.every((each) => each.complete) };
  }

  async sample() {
    try {
      const made = await post('/sample');
      this.fire('collections-changed');
      go(toCollection(made.database, made.collection, 'ttl'));
    } catch (error) {
      sayError(error);
    }
  }

  render() {
    return html`<div class="page-head"><h1 tabindex="-1">Overview</h1></div>
      <div class="stack">
        ${this.collections?.length === 0 ? this.welcome() : nothing}
        ${this.tiles()}
        <div class="columns">${this.dueCard()}<div class="stack">${this.slowCard()}
          ${this.connectCard()}</div></div>
      </div>`;
  }

  welcome() {
    return html`<section class="card soft"><h2>Welcome</h2><p>${this.session?.everything
      ? TEXTS.emptyServer : TEXTS.nothingToSee}</p>
      ${this.writable ? html`<div class="row"><button class="primary" @click=${this.sample}>Make a
        sample collection</button></div>` : nothing}</section>`;
  }

  tiles() {
    const { status } = this;
    if (!status?.sweep) {
      return html`<p class="quiet">${status?.readiness ?? nothing}</p>`;
    }
    const rows = this.due.value?.rows ?? [];
    const least = this.due.value && !this.due.value.exact ? '≥ ' : '';
    const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
    const tile = (label, value, words) => html`<div class="tile"><dt>${label}</dt>
      <dd class=${words ? 'words' : ''}>${value}</dd></div>`;
    return html`<dl class="tiles">
      ${tile('Server', status.ready ? 'Ready' : status.readiness, !status.ready)}
      ${tile('Documents', count(status.documents ?? 0))}
      ${tile('Expire within the hour', least + count(sum('hour')))}
      ${tile('Expire within the day', least + count(sum('day')))}
      ${tile('Sweep lag', status.sweep.lagMillis ?
        duration(status.sweep.lagMillis / 1000) : 'none')}
      ${tile('Expired, not swept', count(status.backlog?.documents ?? 0))}
      ${tile('Operations per second', this.rate())}
      ${tile('Size of the files', bytes(status.disk?.used ?? 0))}
    </dl>`;
  }

  rate() {
    const last = this.history.value?.points?.at(-1);
    if (!last) {
      return '0';
    }
    const sum = Object.values(last.operations).reduce((total, each) => total + each, 0);
    return count(Math.round((sum * 10000) / this.history.value.stepMillis) / 10);
  }

  dueCard() {
    const { value } = this.due;
    return html`<section class="card"><h2>Due next</h2>${this.due.render()}
      ${value?.rows.length ? html`<div class="table-box" tabindex="0" role="region"
        aria-label="Due next"><table><thead><tr><th scope="col">Collection</th>
        <th scope="col" class="nums">1 min</th><th scope="col" class="nums">1 h</th>
        <th scope="col" class="nums">1 day</th></tr></thead>
        <tbody>${value.rows.slice(0, 12).map((row) => html`<tr><th scope="row">
          <a href=${toCollection(row.database, row.collection, 'forecast')}>${databaseName(
            row.database)}.${row.collection}</a></th>${['minute', 'hour', 'day'].map((name) =>
            html`<td class="nums">${row.complete ? '' : '≥ '}${count(row[name])}</td>`)}</tr>`)}
        </tbody></table></div>
        ${value.left ? html`<p class="hint">${count(value.left)} more collections have rules; open
          them to see their forecast.</p>` : nothing}`
        : html`<p class="muted">${this.due.value ? 'No collection with documents has a rule.'
          : nothing}</p>`}</section>`;
  }

  slowCard() {
    const { value } = this.slow;
    const operations = slowest(value?.operations ?? []);
    return html`<section class="card"><h2>Slow of late</h2>
      ${operations.length === 0 ? html`<p class="muted">${value ? noneSlow(value.slowMillis)
        : nothing}</p>`
        : html`<ul class="stack tight">${operations.map((each) => html`<li class="row between">
          <span class="wrap"><code>${each.operation}</code> ${each.namespace}</span>
          <span class="nums muted">${count(each.millis)} ms · ${when(toDate(each.at))}</span>
          </li>`)}</ul>
          <p><a href="${ROOT}server/slow">All slow operations</a></p>`}
    </section>`;
  }

  connectCard() {
    const { value } = this.connect;
    return value ? html`<section class="card"><h2>Connect</h2>
      <m-copy name="MongoDB connection string" text=${mongoUri(value.mongo)}></m-copy>
      ${value.cosmos ? html`<m-copy name="Cosmos DB endpoint" text=${endpoint(value.cosmos)}>
        </m-copy>` : nothing}
      <p><a href="${ROOT}connect">Programs for each driver and SDK</a></p></section>` : nothing;
  }
}

/** Documents due within a minute, an hour and a day; at least, if the walk took too long. */
async function due({ database, collection }, signal) {
  const path = collectionPath(database, collection, 'forecast');
  const ask = (bucketSeconds, buckets) => post(path, { bucketSeconds, buckets,
    maxMillis: MOST_MILLIS }, signal);
  const minutes = await ask(60, 60);
  const hours = await ask(3600, 24);
  const total = (list) => list.reduce((sum, each) => sum + each.documents, 0);
  return { minute: total(minutes.buckets.slice(0, 1)), hour: total(minutes.buckets),
    day: total(hours.buckets), complete: minutes.complete && hours.complete };
}

/** The slowest of the last hundred. */
function slowest(operations) {
  return operations.slice(0, 100).sort((a, b) => b.millis - a.millis).slice(0, 5);
}

customElements.define('m-overview', Overview);
